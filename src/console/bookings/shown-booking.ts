import type { BookingDetail } from '../../resources/bookings/schema.ts'
import type { KeptAnswer } from '../../resources/questions/take-answers.ts'

/** A booking, with what was answered to which question, and whether whoever looks at it may decide about it. */
export type Shown = BookingDetail & { readonly told: readonly KeptAnswer[]; readonly mayDecide: boolean }
