import * as z from 'zod'
import { type Member, may } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { id } from '#lib/core/schemas.ts'
import { getCompany } from '#lib/domain/company/operations.ts'
import {
  addTeamMember,
  changeTeamMember,
  deleteTeam,
  findTeam,
  listTeamMembers,
  removeTeamMember,
  updateTeam,
} from '#lib/domain/teams/operations.ts'
import {
  NewTeamMember,
  type Team,
  TeamChange,
  type TeamMember,
  TeamMemberChange,
} from '#lib/domain/teams/schema.ts'
import { findColleague } from '#lib/domain/users/operations.ts'
import { Area, Choice, Facts, Field, TimeZone } from '#lib/pages/fields.tsx'
import { act, BARE, type FormPage, type View } from '../forms.ts'
import { Confirm, Form, More, pageOf, Row, Rows, Section, Sent, Settings, Tick } from './frame.tsx'

const ROLES: [TeamMember['role'], string][] = [
  ['MEMBER', 'Member'],
  ['ADMIN', 'Admin'],
  ['OWNER', 'Owner'],
]
const roleName = (role: string) => ROLES.find(([key]) => key === role)?.[1] ?? role

/** What the member may do with a team. */
interface May {
  /** Change it and who is in it. */
  manage: boolean
  /** Delete it, and make and unmake its owners. */
  own: boolean
}

function mayOf(m: Member, members: readonly TeamMember[]): May {
  const all = may(m, 'calendar.write')
  const role = members.find(({ userId }) => userId === m.userId)?.role
  return { manage: all || role === 'ADMIN' || role === 'OWNER', own: all || role === 'OWNER' }
}

const RoleForm = ({ of: { userId, role, user }, allowed }: { of: TeamMember; allowed: May }) => (
  <Sent class="inline" act="role" hidden={{ userId, ...BARE }}>
    <select name="role" aria-label={`Role of ${user.name}`} autocomplete="off">
      {ROLES.filter(([key]) => allowed.own || key !== 'OWNER').map(([key, name]) => (
        <option value={key} selected={key === role}>
          {name}
        </option>
      ))}
    </select>
    <button class="button plain small" type="submit">
      Set<span class="unseen"> the role of {user.name}</span>
    </button>
  </Sent>
)

const Colleague = ({ of, allowed, m }: { of: TeamMember; allowed: May; m: Member }) => {
  const { userId, role, user } = of
  const isSelf = userId === m.userId
  const mayChange = allowed.manage && (allowed.own || role !== 'OWNER')
  return (
    <Row
      name={isSelf ? `${user.name} (you)` : user.name}
      facts={[
        roleName(role),
        user.email,
        !isSelf && may(m, 'calendar.write') && (
          <a href={`/settings/schedules?of=${userId}`}>
            Schedules<span class="unseen"> of {user.name}</span>
          </a>
        ),
      ]}
    >
      {mayChange ? <RoleForm of={of} allowed={allowed} /> : null}
      {mayChange || isSelf ? (
        <Confirm
          act="remove"
          label={isSelf ? 'Leave' : 'Remove'}
          of={isSelf ? 'the team' : user.name}
          ask={`${isSelf ? 'You host' : `${user.name} hosts`} its event types no more.`}
          button={isSelf ? 'Leave' : 'Remove'}
          hidden={{ userId }}
        />
      ) : null}
    </Row>
  )
}

const Newcomer = ({ view, allowed }: { view: View; allowed: May }) => {
  const filled = view.form('add', { role: 'MEMBER' })
  return (
    <Section id="newcomer" title="Add a member">
      <Form act="add" button="Add" filled={filled}>
        <Field
          name="userId"
          label="Who"
          verbatim
          hint="The name, e-mail address or username of a colleague. Others join by People first."
          filled={filled}
        />
        <Choice
          name="role"
          label="Role"
          options={ROLES.filter(([key]) => allowed.own || key !== 'OWNER')}
          chosen={filled.values.role ?? 'MEMBER'}
          fault={filled.errors.role}
        />
      </Form>
    </Section>
  )
}

const About = ({ view, team, page }: { view: View; team: Team; page: string }) => {
  const { name, slug, bio, timeZone, isPrivate } = team
  const filled = view.form('save', { name, slug, bio, timeZone, isPrivate: isPrivate ? 'on' : '' })
  return (
    <Section id="about" title="About the team">
      <Facts facts={[['Its page', <a href={page}>{page}</a>]]} />
      <Form act="save" button="Save team" filled={filled}>
        <Field name="name" label="Name" maxlength={200} filled={filled} />
        <Field
          name="slug"
          label="Slug"
          verbatim
          hint="The address of its page ends with it. Links to the old one stop working."
          filled={filled}
        />
        <TimeZone filled={filled} guess={timeZone} hint="Where the team is." />
        <Area name="bio" label="About" maxlength={5000} filled={filled} />
        <Tick name="isPrivate" label="Its members do not see each other" filled={filled} />
      </Form>
    </Section>
  )
}

const show = async (view: View) => {
  const { m, id: teamId } = view
  const [company, found, members, own] = await Promise.all([
    getCompany(m),
    findTeam(m, { id: teamId }),
    listTeamMembers(m, { teamId, ...pageOf(view) }),
    listTeamMembers(m, { teamId, userId: m.userId, limit: 1 }),
  ])
  const team = found.read()
  const page = `${m.settings.publicUrl}/team/${company.read().subdomain}/${team.slug}`
  const allowed = mayOf(m, own.items.read())
  return (
    <Settings
      view={view}
      title={team.name}
      here="teams"
      lead={<a href="/settings/teams">All teams</a>}
    >
      <Section id="members" title="Members" open>
        <Rows none="Nobody is in it.">
          {members.items.read().map(one => (
            <Colleague of={one} allowed={allowed} m={m} />
          ))}
        </Rows>
        <More view={view} next={members.nextCursor} />
      </Section>
      {allowed.manage ? <Newcomer view={view} allowed={allowed} /> : null}
      {allowed.manage ? <About view={view} team={team} page={page} /> : null}
      {allowed.own ? (
        <Confirm
          act="delete"
          label="Delete team"
          ask="Its event types and forms go with it. What was booked stays."
          button="Delete team"
        />
      ) : null}
    </Settings>
  )
}

const userId = id
const ToAdd = NewTeamMember.pick({ role: true }).extend({
  userId: z.string().trim().min(1).max(320),
})

/** One team and who is in it. */
export const teamPage: FormPage = {
  show,
  acts: {
    save: act(
      TeamChange.pick({ name: true, slug: true, bio: true, timeZone: true, isPrivate: true }),
      ({ name, slug, bio, timeZone, isPrivate }) => ({
        name,
        slug,
        bio,
        timeZone,
        isPrivate: isPrivate === 'on',
      }),
      async (m, change, press) => {
        await updateTeam(m, { id: press.id, ...change })
        return { text: 'The team is saved.' }
      },
    ),
    add: act(
      ToAdd,
      ({ userId: who, role }) => ({ userId: who || undefined, role }),
      async (m, { userId: who, role }, press) => {
        const message = 'is nobody of this business, or the name of several'
        const found = (await findColleague(m, who)) ?? invalid({ field: 'userId', message })
        const { user } = (await addTeamMember(m, { teamId: press.id, userId: found, role })).read()
        return { text: `${user.name} is in the team.` }
      },
    ),
    role: act(
      TeamMemberChange.pick({ userId: true, role: true }),
      typed => ({ userId: Number(typed.userId), role: typed.role }),
      async (m, { userId: theirs, role }, press) => {
        const changed = await changeTeamMember(m, { teamId: press.id, userId: theirs, role })
        return { text: `${changed.read().user.name}: ${roleName(role)}.` }
      },
    ),
    remove: act(
      z.object({ userId }),
      typed => ({ userId: Number(typed.userId) }),
      async (m, { userId: theirs }, press) => {
        await removeTeamMember(m, { teamId: press.id, userId: theirs })
        const hasLeft = theirs === m.userId && !may(m, 'calendar.read')
        return hasLeft
          ? { to: '/settings/teams', text: 'You have left the team.' }
          : { text: 'They are in the team no more.' }
      },
    ),
    delete: async ({ m, id: teamId }) => {
      await deleteTeam(m, { id: teamId })
      return { to: '/settings/teams', text: 'The team is deleted.' }
    },
  },
}
