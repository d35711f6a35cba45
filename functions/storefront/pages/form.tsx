import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import { randomText } from '#lib/core/text.ts'
import { Answers } from '#lib/domain/routing-forms/schema.ts'
import { findOpenForm, findOutcome, submitForm } from '#lib/domain/routing-forms/submit.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { ONCE } from '#lib/http/press.ts'
import { created } from '#lib/http/reply.ts'
import { AT_FIRST, type Filled, isForm, type Shown } from '#lib/http/validate.ts'
import { Alert, Hidden } from '#lib/pages/fields.tsx'
import { Fields, isSaidByFields } from '#lib/pages/filling.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { showLinked } from '#lib/pages/linked.tsx'
import { asAsked, Question } from '#lib/pages/questions.tsx'
import { linkTo, type Query } from '#lib/pages/words.ts'

/** Which form a page is about. */
export interface FormPath {
  subdomain: string
  slug: string
}

const addressOf = ({ subdomain, slug }: FormPath): string =>
  `/forms/${encodeURIComponent(subdomain)}/${encodeURIComponent(slug)}`

/** Who is to host what the answers lead to, as the form's address may say for the page that books it. */
const namedIn = <E extends AppEnv>(c: Context<E>): Query => ({
  teamMemberEmail: c.req.query('teamMemberEmail'),
  routedTeamMemberIds: c.req.query('routedTeamMemberIds'),
})

/** A routing form to fill in, or to correct. */
export async function showForm<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  path: FormPath,
  { filled: { values, errors }, status, message }: Shown = AT_FIRST,
): Promise<Response> {
  const form = await findOpenForm(visitor, path)
  const questions = form.fields.filter(field => !field.deleted)
  const filled = asAsked(questions, { values, errors: atFields(errors) })
  return showPage(
    c,
    <Layout title={form.name} refused={status >= 400} forCustomers>
      <div class="card narrow stack">
        <p class="quiet">{form.business.name}</p>
        <h1>{form.name}</h1>
        {form.description ? <p class="lead">{form.description}</p> : null}
        <Alert message={isSaidByFields({ filled, status }) ? undefined : message} />
        <form class="fields" method="post" action={linkTo(addressOf(path), namedIn(c))}>
          <Hidden values={{ [ONCE]: randomText(16) }} />
          <Fields filled={filled}>
            {questions.map(field => (
              <Question field={field} filled={filled} />
            ))}
          </Fields>
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

/** Faults of a response at the questions that they are about. */
const atFields = (errors: Filled['errors']): Filled['errors'] =>
  Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [field.replace(/^response\./, ''), message]),
  )

const pathOf = (c: Context<AppEnv>): FormPath => ({
  subdomain: c.req.param('subdomain') ?? '',
  slug: c.req.param('slug') ?? '',
})

/** Takes a filled-in form, and leads on. */
export const answerForm = visitorForm({
  schema: Answers,
  show: (c, shown) => showForm(c, visitorIn(c), pathOf(c), shown),
  work: async (c, v, typed) => {
    const response = isForm(c) ? gather(typed) : typed
    const { action, ...outcome } = await submitForm(v, { ...pathOf(c), response })
    const { type, value } = action
    const isBooked = type === 'eventTypeRedirectUrl' && value
    return {
      ...outcome,
      action: isBooked ? { ...action, value: linkTo(value, namedIn(c)) } : action,
    }
  },
  next: (c, _typed, { responseUid, action }) => {
    const isOurs = action.type === 'eventTypeRedirectUrl' && action.value
    return isOurs || `${addressOf(pathOf(c))}/${responseUid}`
  },
  reply: created,
})

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
  return showLinked(
    c,
    { heading: leads ? 'One moment' : 'Thank you', business: form.business.name },
    leads ? (
      <p>
        <a href={leads}>Continue</a> if nothing happens.
      </p>
    ) : (
      <p class="lead">{action.value}</p>
    ),
  )
}
