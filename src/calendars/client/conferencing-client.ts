/** The meeting that a conferencing provider is to make. Instants are epoch milliseconds. */
export type MeetingRequest = {
  readonly topic: string
  readonly agenda: string
  readonly start: number
  readonly end: number
  readonly timezone: string
}

export type Meeting = { readonly id: string; readonly joinUrl: string }

/** One account of a conferencing provider. Every call may throw a CalendarError, whose kinds fit here too. */
export type ConferencingClient = {
  readonly createMeeting: (request: MeetingRequest) => Promise<Meeting>
  /** Null when the meeting no longer exists. */
  readonly updateMeeting: (id: string, request: MeetingRequest) => Promise<Meeting | null>
  /** One that is gone already is fine. */
  readonly deleteMeeting: (id: string) => Promise<void>
}
