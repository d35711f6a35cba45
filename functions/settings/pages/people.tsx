import * as z from 'zod'
import { type Member, may } from '#lib/core/context.ts'
import { conflict, WaitError } from '#lib/core/errors.ts'
import { type Role, rolesUpTo } from '#lib/core/permissions.ts'
import { email, id, text } from '#lib/core/schemas.ts'
import { invite, revokeInvitation } from '#lib/domain/invitations/operations.ts'
import { type Colleague, listColleagues } from '#lib/domain/invitations/people.ts'
import { NewInvitation } from '#lib/domain/invitations/schema.ts'
import { ROLE_WORDS } from '#lib/domain/messaging/invitation.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { Choice, Field } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import type { Reader } from '../local.ts'
import { At, Button, Confirm, Form, More, pageOf, Row, Rows, Section, Settings } from './frame.tsx'

/** The roles that a member may invite to, the least first. */
const rolesOf = (m: Member): Role[] =>
  may(m, 'roles.write') ? [...rolesUpTo(m.role)].reverse() : ['staff']

/** How it stands with somebody's signing in. */
const State = ({ of, reader }: { of: Colleague; reader: Reader }) => {
  const { inviteStatus, invitation } = of
  if (inviteStatus === 'accepted') return <span>signs in</span>
  if (invitation && inviteStatus !== 'none')
    return (
      <span>
        invited by {invitation.inviter}
        {inviteStatus === 'invited' ? ', until ' : '; it expired '}
        <At at={invitation.expiresAt} reader={reader} />
      </span>
    )
  if (invitation?.outcome === 'declined') return <span>declined</span>
  return <span>does not sign in</span>
}

const Person = ({ of, m, reader }: { of: Colleague; m: Member; reader: Reader }) => {
  const { userId, employeeId, name, role, invitation, inviteStatus } = of
  const isOpen = inviteStatus === 'invited' || inviteStatus === 'expired'
  const mayInvite = may(m, 'employees.write') && rolesOf(m).includes(role)
  return (
    <Row
      name={userId === m.userId ? `${name} (you)` : name}
      facts={[ROLE_WORDS[role], of.email, <State of={of} reader={reader} />]}
    >
      {mayInvite && employeeId && inviteStatus !== 'accepted' ? (
        <Button
          act="again"
          label={isOpen ? 'Send again' : 'Invite'}
          of={isOpen ? `the invitation of ${name}` : name}
          hidden={{ employeeId }}
        />
      ) : null}
      {mayInvite && invitation && isOpen ? (
        <Confirm
          act="revoke"
          label="Take back"
          of={`the invitation of ${name}`}
          ask="The link in the e-mail ends."
          button="Take back"
          hidden={{ id: invitation.id }}
        />
      ) : null}
    </Row>
  )
}

const Newcomer = ({ view }: { view: View }) => {
  const filled = view.form('invite', { role: 'staff' })
  return (
    <Section id="newcomer" title="Invite somebody">
      <p class="quiet">
        They get an e-mail with a link, which works for seven days. From now on they are an employee
        whom customers can book.
      </p>
      <Form act="invite" button="Send invitation" filled={filled}>
        <Field name="email" label="E-mail" type="email" filled={filled} />
        <Field
          name="name"
          label="Name"
          optional
          maxlength={200}
          hint="What your customers see."
          filled={filled}
        />
        <Choice
          name="role"
          label="Role"
          options={rolesOf(view.m).map(role => [role, ROLE_WORDS[role]] as const)}
          chosen={filled.values.role ?? 'staff'}
          hint="Staff see and change their own appointments, hours and meetings."
          fault={filled.errors.role}
        />
      </Form>
    </Section>
  )
}

const show = async (view: View) => {
  const { m } = view
  const [me, found] = await Promise.all([getMe(m), listColleagues(m, pageOf(view))])
  const reader = me.read()
  return (
    <Settings
      view={view}
      title="People"
      here="people"
      lead="Who works here, and who was asked to sign in."
      reader={reader}
    >
      <Section id="people" title="Everybody" open>
        <Rows none="Nobody is here.">
          {found.items.read().map(one => (
            <Person of={one} m={m} reader={reader} />
          ))}
        </Rows>
        <More view={view} next={found.nextCursor} />
      </Section>
      {may(m, 'employees.write') ? <Newcomer view={view} /> : null}
    </Settings>
  )
}

/** Invites, and says what came of it; that it is one too many today is no matter of the last minute. */
async function send(m: Member, input: NewInvitation) {
  try {
    const { email: to } = (await invite(m, input)).read()
    return { text: `An invitation is on its way to ${to}.` }
  } catch (error) {
    if (error instanceof WaitError) return conflict(error.message)
    throw error
  }
}

const ToInvite = z.object({ email, name: text(200).optional(), role: NewInvitation.shape.role })

/** The members and employees of the business, and inviting others. */
export const peoplePage: FormPage = {
  show,
  acts: {
    invite: act(
      ToInvite,
      typed => ({
        email: typed.email || undefined,
        name: typed.name || undefined,
        role: typed.role,
      }),
      send,
    ),
    again: act(
      z.object({ employeeId: id }),
      typed => ({ employeeId: Number(typed.employeeId) }),
      send,
    ),
    revoke: act(
      z.object({ id }),
      typed => ({ id: Number(typed.id) }),
      async (m, which) => {
        await revokeInvitation(m, which)
        return { text: 'The invitation is taken back.' }
      },
    ),
  },
}
