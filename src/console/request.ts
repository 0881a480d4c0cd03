import type { Page } from '../pages/page.ts'
import type { MembershipRow, SessionRow } from '../people/sign-in/sessions.ts'
import type { AskedMs } from '../platform/limits/clock.ts'

/** The fields of a sent form, each with its last value. Empty for a GET. */
export type Form = ReadonlyMap<string, string> & {
  /** Every value of a field that can have several, such as a list of checkboxes. */
  readonly all: (name: string) => readonly string[]
  /** The chosen file, if the screen takes one and one was chosen. If it is too large, only its beginning. */
  readonly file?: Uint8Array<ArrayBuffer>
}

/** A request before its session is looked up. */
export type AnonymousRequest = { readonly page: Page; readonly form: Form }

/** A request with a session, whether or not it has an organization. */
export type SignedInRequest = AnonymousRequest & {
  readonly session: SessionRow
  readonly memberships: readonly MembershipRow[]
  /** The token that each form contains. */
  readonly csrf: string
}

/** A request of a member in their organization: what most screens get. */
export type MemberRequest = SignedInRequest & {
  /** The member, with all columns of the organization. */
  readonly member: MembershipRow
  readonly organizationId: string
  /** Whether the screens show test data. */
  readonly isTest: boolean
  /** The current time of the live data or of the sandbox. */
  readonly now: AskedMs
  /** The zone that times are shown in: the member's own, else the organization's. */
  readonly zone: string
}
