import type * as z from 'zod'
import { type Member, may } from '#lib/core/context.ts'
import { WEEKDAYS } from '#lib/core/schemas.ts'
import { getCompany, updateCompany } from '#lib/domain/company/operations.ts'
import { type Company, CompanyChange } from '#lib/domain/company/schema.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Area, Choice, Facts, Field, TimeZone } from '#lib/pages/fields.tsx'
import { writeZone } from '#lib/pages/words.ts'
import { act, type FormPage, type Typed, type View } from '../forms.ts'
import { Form, Settings } from './frame.tsx'

/** How customers reach the business. */
const Reach = ({ filled }: { filled: Filled }) => (
  <>
    <Field
      name="email"
      label="E-mail"
      type="email"
      optional
      hint="Customers see it, and their answers to e-mails about appointments go there."
      filled={filled}
    />
    <Field
      name="phone"
      label="Phone"
      type="tel"
      optional
      hint="With its country code, such as +1 555 123 4567."
      filled={filled}
    />
    <Field name="website" label="Website" type="url" optional filled={filled} />
    <Area name="address" label="Address" maxlength={500} filled={filled} />
  </>
)

/** What the business reckons by. */
const Reckoning = ({ filled, timeZone }: { filled: Filled; timeZone: string }) => (
  <>
    <TimeZone
      filled={filled}
      guess={timeZone}
      hint="Where nothing else is said, times are in it."
    />
    <Choice
      name="weekStart"
      label="Weeks begin on"
      options={WEEKDAYS.map(day => [day, day])}
      chosen={filled.values.weekStart ?? ''}
      fault={filled.errors.weekStart}
    />
    <Field
      name="currency"
      label="Currency"
      verbatim
      maxlength={3}
      hint="Three letters, such as usd or eur. Prices keep their numbers when it is changed."
      filled={filled}
    />
  </>
)

const Change = ({ view, of }: { view: View; of: Company }) => {
  const { name, subdomain, email, phone, website, address, description, timeZone, currency } = of
  const weekStart = WEEKDAYS[of.weekStart]
  const contact = { email, phone, website, address, description }
  const filled = view.form('save', { name, subdomain, timeZone, currency, weekStart, ...contact })
  return (
    <Form act="save" button="Save business" filled={filled}>
      <Field
        name="name"
        label="Name"
        autocomplete="organization"
        maxlength={200}
        hint="What customers see."
        filled={filled}
      />
      <Field
        name="subdomain"
        label="Subdomain"
        verbatim
        maxlength={63}
        hint="The address of its page ends with it. Links to the old one stop working."
        filled={filled}
      />
      <Area name="description" label="About it" maxlength={5000} filled={filled} />
      <Reach filled={filled} />
      <Reckoning filled={filled} timeZone={timeZone} />
    </Form>
  )
}

/** The same for those who may not change it. */
const Shown = ({ of }: { of: Company }) => (
  <Facts
    facts={[
      ['Name', of.name],
      ['About it', of.description],
      ['E-mail', of.email],
      ['Phone', of.phone],
      ['Website', of.website],
      ['Address', of.address],
      ['Time zone', writeZone(of.timeZone)],
      ['Currency', of.currency],
    ]}
  />
)

const show = async (view: View) => {
  const { m } = view
  const company = (await getCompany(m)).read()
  const page = `/b/${company.subdomain}`
  return (
    <Settings
      view={view}
      title="Business"
      here="business"
      lead="What customers see of it, and what it reckons by."
    >
      <div class="card stack">
        <Facts facts={[['Its page', <a href={page}>{m.settings.publicUrl + page}</a>]]} />
        {may(m, 'company.write') ? <Change view={view} of={company} /> : <Shown of={company} />}
      </div>
    </Settings>
  )
}

const BusinessForm = CompanyChange.pick({
  name: true,
  subdomain: true,
  description: true,
  email: true,
  phone: true,
  website: true,
  address: true,
  timeZone: true,
  weekStart: true,
  currency: true,
})

/** A field that was emptied is one that there is nothing for. */
const read = ({ email, phone, website, ...typed }: Typed) => ({
  ...typed,
  email: email || null,
  phone: phone || null,
  website: website || null,
})

async function save(m: Member, input: z.output<typeof BusinessForm>) {
  await updateCompany(m, input)
  return { text: 'The business is saved.' }
}

/** What the business is, for its customers and its own pages. */
export const businessPage: FormPage = { show, acts: { save: act(BusinessForm, read, save) } }
