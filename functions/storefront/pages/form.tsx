import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import type { Answers } from '#lib/domain/routing-forms/schema.ts'
import { findOpenForm, findOutcome, submitForm } from '#lib/domain/routing-forms/submit.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { created } from '#lib/http/reply.ts'
import { byField, type Filled, isForm } from '#lib/http/validate.ts'
import { EMPTY } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { Question } from '#lib/pages/questions.tsx'

/** Which form a page is about. */
export interface FormPath {
  subdomain: string
  slug: string
}

const addressOf = ({ subdomain, slug }: FormPath): string =>
  `/forms/${encodeURIComponent(subdomain)}/${encodeURIComponent(slug)}`

/** A routing form to fill in, or to correct. */
export async function showForm<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  path: FormPath,
  filled: Filled = EMPTY,
  status = 200,
): Promise<Response> {
  const form = await findOpenForm(visitor, path)
  const questions = form.fields.filter(field => !field.deleted)
  const faulty = questions.filter(field => filled.errors[field.identifier])
  const count = faulty.length
  return showPage(
    c,
    <Layout title={form.name} forCustomers>
      <div class="card narrow stack">
        <p class="quiet">{form.business.name}</p>
        <h1>{form.name}</h1>
        {form.description ? <p class="lead">{form.description}</p> : null}
        {count > 0 ? (
          <p class="note bad" role="alert">
            {count === 1 ? 'One answer needs' : `${count} answers need`} another look.
          </p>
        ) : null}
        <form class="fields" method="post" action={addressOf(path)}>
          {questions.map(field => (
            <Question field={field} filled={filled} focus={field === faulty[0]} />
          ))}
          <button class="button wide" type="submit">
            Continue
          </button>
        </form>
      </div>
    </Layout>,
    status,
  )
}

/** Answers as the form sends them: those of several choices are one list. */
function gather(typed: Answers): Answers {
  const answers: Answers = {}
  const lists = new Map<string, unknown[]>()
  for (const [name, value] of Object.entries(typed)) {
    const of = /^(.+)\.\d+$/.exec(name)?.[1]
    if (of === undefined) answers[name] = value
    else lists.set(of, [...(lists.get(of) ?? []), value])
  }
  return { ...answers, ...Object.fromEntries(lists) }
}

const texts = (typed: Answers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

/** Takes a filled-in form: leads on (303), or shows it again with what is wrong. */
export async function sendForm<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  { subdomain, slug }: FormPath,
  typed: Answers,
): Promise<Response> {
  const path = { subdomain, slug }
  if (!isForm(c)) return created(c, () => submitForm(visitor, { ...path, response: typed }))
  try {
    const { responseUid, action } = await submitForm(visitor, { ...path, response: gather(typed) })
    const isOurs = action.type === 'eventTypeRedirectUrl' && action.value
    return c.redirect(isOurs || `${addressOf(path)}/${responseUid}`, 303)
  } catch (thrown) {
    const error = meaningOf(thrown)
    if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error
    const faults = (error.details ?? []).map(({ field, message }) => ({
      field: field.replace(/^response\./, ''),
      message,
    }))
    return showForm(c, visitor, path, { values: texts(typed), errors: byField(faults) }, 422)
  }
}

/** What comes after a form: a message, or the way to another site. */
export async function showOutcome<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  uid: string,
): Promise<Response> {
  const { action, form } = await findOutcome(visitor, { uid })
  const leads = action.type !== 'customPageMessage' && action.value
  // A redirect would fall to the policy that forms are sent to our own pages alone.
  if (leads) c.header('Refresh', `0; url=${leads}`)
  return showPage(
    c,
    <Layout title={leads ? 'One moment' : 'Thank you'} forCustomers noindex>
      <div class="card narrow stack">
        <p class="quiet">{form.business.name}</p>
        <h1>{leads ? 'One moment' : 'Thank you'}</h1>
        {leads ? (
          <p>
            <a href={leads}>Continue</a> if nothing happens.
          </p>
        ) : (
          <p class="lead">{action.value}</p>
        )}
      </div>
    </Layout>,
  )
}
