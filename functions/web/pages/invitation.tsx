import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Role } from '#lib/core/permissions.ts'
import {
  acceptInvitation,
  declineInvitation,
  findInvitation,
  joinAsNewcomer,
} from '#lib/domain/invitations/accept.ts'
import {
  Acceptance,
  Newcomer,
  type Outcome,
  Refusal,
  type ShownInvitation,
} from '#lib/domain/invitations/schema.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Filled, type Shown } from '#lib/http/validate.ts'
import { guessZone } from '#lib/pages/choices.ts'
import {
  Facts,
  Field,
  Hidden,
  NEW_PASSWORD,
  PASSWORD,
  TimeZone,
  WhosePassword,
} from '#lib/pages/fields.tsx'
import { Fields } from '#lib/pages/filling.tsx'
import { browserOf } from '#lib/pages/guard.ts'
import { showEnded, showLinked } from '#lib/pages/linked.tsx'
import { HOME } from '#lib/pages/next.ts'
import { linkTo } from '#lib/pages/words.ts'
import { GUESSES, signInto } from './entry.tsx'

const PATH = '/invitation'

/** What each role comes to, for who is asked to take it on. */
const MEANS: Record<Role, string> = {
  owner: 'Owner: everything is yours to see and change.',
  admin: 'Admin: you see and change everything.',
  manager: 'Manager: you see and change everything but money settings, roles and billing.',
  staff: 'Staff: you see and change your own appointments, hours and meetings.',
}

interface FormProps {
  token: string
  filled: Filled
  action: string
  button: string
  children?: Child
}

const JoinForm = ({ token, filled, action, button, children }: FormProps) => (
  <form class="fields" method="post" action={action}>
    <Hidden values={{ token }} />
    <Fields filled={filled}>{children}</Fields>
    <button class="button wide" type="submit">
      {button}
    </button>
  </form>
)

/** For who has no user yet. Their address is the one that was written to. */
const NewcomerForm = ({ of, guess, ...form }: Part & { guess: string }) => (
  <JoinForm {...form} action={PATH} button={`Join ${of.business}`}>
    <Field
      name="name"
      label="Your name"
      autocomplete="name"
      maxlength={120}
      filled={
        form.filled.errors.name
          ? form.filled
          : { ...form.filled, values: { name: of.name, ...form.filled.values } }
      }
    />
    <WhosePassword email={of.email} />
    <Field
      {...NEW_PASSWORD}
      label="Choose a password"
      hint={`At least 8 characters. You sign in with ${of.email}.`}
      filled={form.filled}
    />
    <TimeZone filled={form.filled} guess={guess} hint="Your hours are in this zone." asks />
  </JoinForm>
)

interface Part {
  of: ShownInvitation
  token: string
  filled: Filled
}

/** For who has a user, and shows it. */
const PasswordForm = ({ of, isElse, ...form }: Part & { isElse: boolean }) => (
  <>
    <p class="note">
      {isElse ? 'You are signed in with another address. ' : ''}You have an account with {of.email}:
      its password lets you in.
    </p>
    <JoinForm {...form} action={`${PATH}/accept`} button={`Join ${of.business}`}>
      <WhosePassword email={of.email} />
      <Field {...PASSWORD} label="Your password" filled={form.filled} />
    </JoinForm>
    <p>
      <a href="/forgot">Forgotten your password?</a>
    </p>
  </>
)

const Decline = ({ token, business }: { token: string; business: string }) => (
  <details class="fold">
    <summary>Decline</summary>
    <form class="fields" method="post" action={`${PATH}/decline`}>
      <Hidden values={{ token }} />
      <p>{business} sees that you declined. This link ends with it.</p>
      <button class="button danger wide" type="submit">
        Decline the invitation
      </button>
    </form>
  </details>
)

/** What a link in an e-mail asks. Looking at it changes nothing. */
export async function showInvitation(
  c: Context<AppEnv>,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const token = shown.filled.values.token ?? c.req.query('token') ?? ''
  const of = await findInvitation(visitorIn(c), token)
  if (!of) return showEnded(c, 'It works for seven days. Ask who invited you for another.', shown)
  if (of.outcome) return showOver(c, of, of.outcome, shown)
  const filled = shown.status === 409 ? { ...shown.filled, errors: {} } : shown.filled
  const me = browserOf(c)
  const form = { of, token, filled }
  return showLinked(
    c,
    { heading: `Join ${of.business}`, shown, signedIn: me !== undefined },
    <>
      <p>
        {of.inviter.name} ({of.inviter.email}) invites you to work with {of.business}.
      </p>
      <Facts
        facts={[
          ['For', of.email],
          ['You will be', MEANS[of.role]],
        ]}
      />
      {of.user === null ? (
        <NewcomerForm {...form} guess={guessZone(c) ?? 'UTC'} />
      ) : me?.userId === of.user.id ? (
        <JoinForm
          token={token}
          filled={filled}
          action={`${PATH}/accept`}
          button={`Join ${of.business}`}
        />
      ) : (
        <PasswordForm {...form} isElse={me !== undefined} />
      )}
      <Decline token={token} business={of.business} />
    </>,
  )
}

const ENDED: Record<Outcome, string> = {
  accepted: 'You have joined.',
  declined: 'You have declined. Whoever invited you sees that.',
  revoked: 'It was taken back. Ask who invited you, if you think that it should not have been.',
  replaced: 'A newer one was sent to you: please use the link in that e-mail.',
}

/** What became of an invitation that cannot be answered any more. */
function showOver(
  c: Context<AppEnv>,
  of: ShownInvitation,
  outcome: Outcome,
  { message }: Shown,
): Response {
  const isAnswered = outcome === 'accepted' || outcome === 'declined'
  const status = message ? 409 : isAnswered ? 200 : 404
  const me = browserOf(c)
  const isTheirs = me !== undefined && me.userId === of.user?.id
  return showLinked(
    c,
    {
      heading: 'This invitation is over',
      business: of.business,
      shown: { status },
      signedIn: me !== undefined,
    },
    <>
      <p>{ENDED[outcome]}</p>
      {outcome === 'accepted' ? (
        <p>
          {isTheirs ? (
            <a class="button wide" href={HOME}>
              Go home
            </a>
          ) : (
            <a class="button wide" href="/signin">
              Sign in to go on
            </a>
          )}
        </p>
      ) : null}
    </>,
  )
}

const byToken = ({ token }: { token: string }): string => token

/** Makes a user of a newcomer, and signs them in: the link shows that the address is theirs. */
export const newcomerForm = visitorForm({
  schema: Newcomer,
  max: GUESSES,
  target: byToken,
  show: showInvitation,
  work: async (c, v, typed) => {
    const joined = await joinAsNewcomer(v, typed)
    await signInto(c, v, joined)
    return joined
  },
  next: () => HOME,
})

/** Lets a user in who shows their password, or who has signed in. */
export const acceptForm = visitorForm({
  schema: Acceptance,
  max: GUESSES,
  target: byToken,
  show: showInvitation,
  work: async (c, v, typed) => {
    const browser = browserOf(c)
    const joined = await acceptInvitation(v, typed, browser)
    if (browser?.userId !== joined.userId) await signInto(c, v, joined)
    return joined
  },
  next: () => HOME,
})

/** Declines; the page then says so. */
export const declineForm = visitorForm({
  schema: Refusal,
  max: GUESSES,
  show: showInvitation,
  work: (_c, v, typed) => declineInvitation(v, typed),
  next: (_c, { token }) => linkTo(PATH, { token }),
})
