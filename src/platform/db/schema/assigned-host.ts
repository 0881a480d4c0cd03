/** The host of a booking as it was when it was assigned: readable after a member leaves. */
export type AssignedHost = {
  readonly member_id: string
  readonly user_id: string
  readonly email: string
  /** Null without a name; left out of earlier bookings. */
  readonly name?: string | null
}
