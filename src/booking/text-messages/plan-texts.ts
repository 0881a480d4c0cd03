import type { Db, Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { EventRow } from '../../platform/db/schema/records.ts'
import { dueAt } from '../bookings/reminders/plan-reminders.ts'
import type { Booking } from '../bookings/schema.ts'
import { insertTexts } from './queries.ts'
import { afterQuiet, beforeQuiet } from './quiet-hours.ts'

/** What a text about an event depends on, besides the event. */
export type TextPlan = {
  /** Sealed; null without a number. */
  readonly inviteePhone: string | null
  readonly smsConsent: boolean | null
  readonly reminderChannels: readonly ('email' | 'sms')[] | null
  readonly reminderIntervals: readonly number[] | null
  readonly wasRequest: boolean
}

const PLANNED = new Set(['booking.created', 'booking.confirmed', 'booking.rescheduled'])

/** The text messages that follow from an event, each for when it is sent. Those of an earlier start are dropped then. */
export function textsOf(db: Db, event: EventRow, plan: TextPlan): Statement[] {
  const { organizationId, isTest, kind, data, previous, createdAt } = event
  const { inviteePhone, smsConsent, reminderChannels, reminderIntervals, wasRequest } = plan
  if (!reminderChannels?.includes('sms') || inviteePhone === null || !smsConsent) return []
  const { id: bookingId, status, start_time, invitee_timezone: zone, payment } = data as Booking
  const occasion = Date.parse(start_time)
  const text = (what: 'reminder' | 'cancelled', key: string, nextAttemptAt: number) => ({
    ...{ id: newId(organizationId), organizationId, isTest, bookingId, kind: what, occasion },
    ...{ onceKey: `${bookingId}/sms/${key}`, nextAttemptAt, createdAt },
  })
  if (PLANNED.has(kind) && (status === 'confirmed' || status === 'rescheduled')) {
    const planned = (reminderIntervals ?? []).map((minutes) =>
      text('reminder', `${occasion}/${minutes}`, beforeQuiet(dueAt(occasion, minutes), zone)),
    )
    // Two reminders of one night are one.
    const each = [...new Map(planned.map((one) => [one.nextAttemptAt, one])).values()]
    const coming = each.filter(({ nextAttemptAt }) => nextAttemptAt > createdAt)
    return coming.length === 0 ? [] : [insertTexts(db, coming)]
  }
  const isQuiet = previous?.is_quiet === true || previous?.is_of_series === true
  const isOfCertain = !wasRequest && payment?.status !== 'cancelled'
  if (kind !== 'booking.cancelled' || isQuiet || !isOfCertain) return []
  const at = afterQuiet(createdAt, zone)
  return at < occasion ? [insertTexts(db, [text('cancelled', 'cancelled', at)])] : []
}
