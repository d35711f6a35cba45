import type * as z from 'zod'
import { type Member, may } from '#lib/core/context.ts'
import { createTeam, listTeams } from '#lib/domain/teams/operations.ts'
import { NewTeam } from '#lib/domain/teams/schema.ts'
import { Field } from '#lib/pages/fields.tsx'
import { count, writeZone } from '#lib/pages/words.ts'
import { act, type FormPage, type View } from '../forms.ts'
import { Form, More, pageOf, Row, Rows, Section, Settings } from './frame.tsx'

const show = async (view: View) => {
  const { m } = view
  const found = await listTeams(m, { sort: 'name', ...pageOf(view) })
  return (
    <Settings
      view={view}
      title="Teams"
      here="teams"
      lead="The members of a team share its event types and forms."
    >
      <Rows none="You are in no team yet.">
        {found.items.read().map(team => (
          <Row
            top
            name={<a href={`/settings/teams/${team.id}`}>{team.name}</a>}
            facts={[
              count(team.memberCount, 'member'),
              writeZone(team.timeZone),
              team.isPrivate && 'private',
            ]}
          />
        ))}
      </Rows>
      <More view={view} next={found.nextCursor} />
      {may(m, 'calendar.write') ? (
        <Section id="new" title="New team">
          <Form act="create" button="Make team" filled={view.form('create')}>
            <Field name="name" label="Name" maxlength={200} filled={view.form('create')} />
          </Form>
        </Section>
      ) : null}
    </Settings>
  )
}

async function create(m: Member, input: z.output<typeof NewTeam>) {
  const { id, name } = (await createTeam(m, input)).read()
  return { to: `/settings/teams/${id}`, text: `“${name}” is made, with you as its owner.` }
}

/** The teams that one sees. */
export const teamsPage: FormPage = {
  show,
  acts: { create: act(NewTeam.pick({ name: true }), ({ name }) => ({ name }), create) },
}
