import type { Page } from '../pages/page.ts'
import type { MembershipRow, SessionRow } from '../people/sign-in/sessions.ts'
import type { AskedMs } from '../platform/limits/clock.ts'

/** What was sent: the fields of a form, each with its last value. Empty for a page that is only looked at. */
export type Form = ReadonlyMap<string, string> & {
  /** Every value of a field that may stand several times, such as a list of boxes. */
  readonly all: (name: string) => readonly string[]
}

/** Somebody at the door: nothing is known of them yet. */
export type AnonymousRequest = { readonly page: Page; readonly form: Form }

/** Somebody who is signed in, wherever they work. */
export type SignedInRequest = AnonymousRequest & {
  readonly session: SessionRow
  readonly memberships: readonly MembershipRow[]
  /** The token that each of their forms carries. */
  readonly csrf: string
}

/** A member at work: what every screen knows. */
export type MemberRequest = SignedInRequest & {
  /** The member, and all columns of the organization that they work in. */
  readonly member: MembershipRow
  readonly organizationId: string
  /** Whether they look at the sandbox's side. */
  readonly isTest: boolean
  /** The present of that side. */
  readonly now: AskedMs
  /** The zone that times are told in: the member's own, else the organization's. */
  readonly zone: string
}
