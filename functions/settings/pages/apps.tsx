import * as z from 'zod'
import { id } from '#lib/core/schemas.ts'
import { SCOPE_WORDS } from '#lib/core/scopes.ts'
import { disconnectApp, listConnectedApps } from '#lib/domain/oauth/connections.ts'
import type { ConnectedApp } from '#lib/domain/oauth/schema.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { act, type FormPage, type View } from '../forms.ts'
import type { Reader } from '../local.ts'
import { At, Confirm, Row, Rows, Settings } from './frame.tsx'

const App = ({ of, reader }: { of: ConnectedApp; reader: Reader }) => (
  <Row
    top
    name={of.name}
    facts={[
      of.madeBy ? `made by ${of.madeBy}` : 'made by nobody that we know',
      <span>
        connected <At at={of.connectedAt} reader={reader} />
      </span>,
      of.lastUsedAt && (
        <span>
          last used <At at={of.lastUsedAt} reader={reader} />
        </span>
      ),
      <ul class="may">
        {of.scopes.map(scope => (
          <li>{SCOPE_WORDS[scope]}</li>
        ))}
      </ul>,
    ]}
  >
    <Confirm
      act="disconnect"
      label="Disconnect"
      of={of.name}
      ask="It can do nothing for you any more, at once, until you allow it again."
      button="Disconnect"
      hidden={{ id: of.id }}
    />
  </Row>
)

const show = async (view: View) => {
  const { m } = view
  const [me, found] = await Promise.all([getMe(m), listConnectedApps(m)])
  const reader = me.read()
  return (
    <Settings
      view={view}
      title="Connected apps"
      here="apps"
      lead="Applications that you have allowed to act for you, and what you allowed them."
      reader={reader}
    >
      <Rows none="No application is connected. Those that you allow to act for you are listed here.">
        {found.read().map(app => (
          <App of={app} reader={reader} />
        ))}
      </Rows>
    </Settings>
  )
}

/** The applications that one has connected. */
export const appsPage: FormPage = {
  show,
  acts: {
    disconnect: act(
      z.object({ id }),
      typed => ({ id: Number(typed.id) }),
      async (m, which) => {
        await disconnectApp(m, which)
        return { text: 'The application is disconnected.' }
      },
    ),
  },
}
