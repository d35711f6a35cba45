import { anyone, HTML, own, sendForm, somebody } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { NOW } from './world.ts'

/** A page as a browser gets it, at a moment. */
export const see = (path: string, now = NOW, cookie = '') =>
  anyone.get(path, {
    ...HTML,
    ...somebody(),
    'x-test-now': now,
    ...(cookie ? { cookie } : {}),
  })

/** Sends a form of our own, at a moment. */
export const send = (path: string, fields: Record<string, string>, now = NOW) =>
  sendForm(path, fields, { ...own(), 'x-test-now': now })

/** The row of a booking. */
export const rowOf = async (uid: string) =>
  (await queryDatabase('select * from bookings where uid = $1', [uid]))[0]!
