import { deviceOf } from '../../pages/device.ts'
import type { Page } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { keepSession, sessionTokenOf, withCookie } from '../../pages/session-cookie.ts'
import type { Person } from '../../people/sign-in/person.ts'
import { type Entry, openSession } from '../../people/sign-in/sessions.ts'
import { isSignUpOpen } from '../../people/sign-in/sign-up.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { dropAsked } from '../cookies.ts'
import { rememberBrowser } from '../known-browser.ts'

/**
 * Signs a person in who has proven who they are: a new session, whatever their browser held before. Null where they
 * may not come in.
 */
export async function comeIn(
  page: Page,
  person: Person,
  path: `/console${string}`,
  entry: Entry = {},
): Promise<Response | null> {
  const { ctx } = page
  const visitor = {
    ipAddress: ctx.ipAddress,
    requestId: ctx.requestId,
    device: deviceOf(ctx.request),
    former: sessionTokenOf(page),
    now: realNow(),
  }
  const opened = await openSession(ctx.env, person, visitor, isSignUpOpen(ctx.env), entry)
  if (!opened) return null
  const to = opened.memberships.length === 0 ? '/console/organizations/new' : path
  // A link proves no address.
  const isProven = person.memberId === null && person.email !== ''
  const known = isProven ? [await rememberBrowser(page, person.email)] : []
  return seeOther(withCookie(page, keepSession(opened.token), dropAsked(), ...known), to)
}
