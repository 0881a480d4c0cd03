import type { BookingDetail } from '../../booking/bookings/schema.ts'
import type { KeptAnswer } from '../../booking/questions/take-answers.ts'

/** A booking, with what was answered to which question, and whether whoever looks at it may decide about it. */
export type Shown = BookingDetail & { readonly told: readonly KeptAnswer[]; readonly mayDecide: boolean }
