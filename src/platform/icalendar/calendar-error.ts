/**
 * Why a calendar could not be asked. `refused`: the provider does not let us, although the permission is good; it may be
 * a passing fault. `revoked`: the owner withdrew the permission, or the account is gone. `expired`: the permission ran
 * out. `misconfigured`: the fault is in this service's registration at the provider. `unavailable`: no answer, or one
 * that says to try later. `unusable`: an answer that makes no sense. `rejected`: it takes what is sent for wrong, and would again. `overlong`: more than may be read. `absent`: the
 * account has no such calendar. `changed`: the event is no longer as it was known.
 */
export type CalendarFailure =
  | 'refused'
  | 'revoked'
  | 'expired'
  | 'misconfigured'
  | 'unavailable'
  | 'unusable'
  | 'rejected'
  | 'overlong'
  | 'absent'
  | 'changed'

export class CalendarError extends Error {
  readonly failure: CalendarFailure
  /** Milliseconds to wait before the next request, where the server said so. */
  readonly retryAfterMs: number | null
  /** The status with which an API refused the request. */
  readonly status: number | null

  /** `message` is shown to the owner of the calendar: no secrets, no address of an inner network. */
  constructor(
    failure: CalendarFailure,
    message: string,
    retryAfterMs: number | null = null,
    status: number | null = null,
  ) {
    super(message)
    this.name = 'CalendarError'
    this.failure = failure
    this.retryAfterMs = retryAfterMs
    this.status = status
  }
}

/** Whether the permission ended, as a failure or as the status of an account. */
export function isEnd(failure: string): failure is 'revoked' | 'expired' {
  return failure === 'revoked' || failure === 'expired'
}
