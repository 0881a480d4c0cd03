export const MOST_SEATS = 5
export const HIGHEST_CAP = 8

/** Where in the list of an organization's event types each kind is. */
/** Where one kind of bookings may be. Bookings of other kinds ignore what they say of it. */
export const PLACES = [
  { id: 'here', kind: 'in_person', value: 'Room 1' },
  { id: 'call', kind: 'phone_out' },
] as const

export const KIND = { approved: 1, together: 2, seats: 3, capped: 4, group: 5, free: 6 } as const

export type Organization = {
  readonly id: string
  readonly members: readonly string[]
  /** In the order of the kinds. */
  readonly types: readonly string[]
  /** The event type whose sessions are moved and cancelled as a whole, which is not one of `types`. */
  readonly classId: string
  /** The event type of the next few minutes, whose bookings begin while clients are at work, which is not one of `types`. */
  readonly soonId: string
  /** The event type with a price, which is not one of `types`. */
  readonly paidId: string
  /** The event type whose bookings are written to the calendar of its host, which is not one of `types`. */
  readonly calendarTypeId: string
  /** That calendar, once it is connected. */
  readonly connectionId: string
  /** The event type whose invitees get text messages, which is not one of `types`. */
  readonly textId: string
  readonly roomId: string
  /** The path at the receiver that its events come to. */
  readonly hook: string
}

export type World = { readonly organizations: readonly Organization[] }
