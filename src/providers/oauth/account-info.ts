/** Whose account it is and where its events are written. */
export type AccountInfo = {
  readonly email: string
  /** The calendar that events are written to. */
  readonly calendarId: string
  /** The calendar's IANA zone, for its all-day events; null where it names none that is known. */
  readonly timezone: string | null
}
