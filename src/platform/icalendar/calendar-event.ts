/** A booking as it is written into a calendar. */
export type CalendarEvent = {
  readonly uid: string
  /** Grows with each change (RFC 5545, section 3.8.7.4). */
  readonly sequence: number
  readonly start: number
  readonly end: number
  readonly stamp: number
  readonly summary: string
  readonly description: string
  readonly location: string | null
  /** The meeting link. */
  readonly url: string | null
  readonly organizer: { readonly name: string; readonly email: string }
  readonly attendees: readonly { readonly name: string; readonly email: string }[]
  /** Asks the suite to make a meeting link of its own (`calendar_a_meet`, `calendar_b_meet`). */
  readonly wantsMeeting: boolean
}
