import type { BookingDetail } from '../../booking/bookings/schema.ts'
import type { KeptAnswer } from '../../booking/questions/take-answers.ts'
import type { History } from './history.tsx'

/** A booking, with the answers to its questions, and whether the member may decide about it. */
export type Shown = BookingDetail & {
  readonly told: readonly KeptAnswer[]
  readonly mayDecide: boolean
  readonly history: History
  /** The invitee's link, if it was asked for. */
  readonly link?: string
}
