import type { Db, Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { eventTypes } from '../../platform/db/schema/event-types.ts'
import type { EventRow } from '../../platform/db/schema/records.ts'
import { dueAt } from '../bookings/reminders/plan-reminders.ts'
import type { Booking } from '../bookings/schema.ts'
import { insertTexts, selectToText } from './queries.ts'
import { afterQuiet, beforeQuiet } from './quiet-hours.ts'

type EventTypeRow = typeof eventTypes.$inferSelect

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
/** Fields whose changes may plan further reminders, or the same at another time. */
const REPLANNING = new Set(['invitee_phone', 'invitee_timezone', 'sms_consent'])

/** The text messages that follow from an event, each for when it is sent. Those of an earlier start are dropped then. */
export function textsOf(db: Db, event: EventRow, plan: TextPlan): Statement[] {
  const { organizationId, isTest, kind, data, previous, createdAt } = event
  const { inviteePhone, smsConsent, reminderChannels, reminderIntervals, wasRequest } = plan
  if (!reminderChannels?.includes('sms') || inviteePhone === null || !smsConsent) return []
  const { id: bookingId, status, start_time, invitee_timezone: zone, payment } = data as Booking
  const occasion = Date.parse(start_time)
  const booking: Texted = { organizationId, isTest, bookingId, occasion, zone }
  const isReplanned = kind === 'booking.updated' && previous?.changed?.some((one) => REPLANNING.has(one))
  if ((PLANNED.has(kind) || isReplanned) && (status === 'confirmed' || status === 'rescheduled')) {
    return insertAll(db, remindersOf(booking, reminderIntervals ?? [], createdAt))
  }
  const isQuiet = previous?.is_quiet === true || previous?.is_of_series === true
  const isOfCertain = !wasRequest && payment?.status !== 'cancelled'
  if (kind !== 'booking.cancelled' || isQuiet || !isOfCertain) return []
  const at = afterQuiet(createdAt, zone)
  return at < occasion ? [insertTexts(db, [textOf(booking, 'cancelled', 'cancelled', at, createdAt)])] : []
}

/** For bookings that were made before their event type sent texts: the reminders that they still get by email. */
export async function textsOfEarlier(
  db: Db,
  { id, organizationId, isTest }: Pick<EventTypeRow, 'id' | 'organizationId' | 'isTest'>,
  now: number,
): Promise<Statement[]> {
  const found = await selectToText(db, id, now)
  const texts = found.flatMap(({ id: bookingId, startTime: occasion, inviteeTimezone, reminderMinutes }) => {
    const booking = { organizationId, isTest, bookingId, occasion, zone: inviteeTimezone }
    return remindersOf(booking, reminderMinutes ?? [], now)
  })
  return insertAll(db, texts)
}

/** What a text says of the booking that it is about. */
type Texted = {
  readonly organizationId: string
  readonly isTest: boolean
  readonly bookingId: string
  readonly occasion: number
  readonly zone: string
}

function remindersOf(booking: Texted, intervals: readonly number[], now: number) {
  const { occasion, zone } = booking
  const planned = intervals.map((minutes) => {
    const at = beforeQuiet(dueAt(occasion, minutes), zone)
    return textOf(booking, 'reminder', `${occasion}/${minutes}`, at, now)
  })
  // Two reminders of one night are one.
  const each = [...new Map(planned.map((one) => [one.nextAttemptAt, one])).values()]
  return each.filter(({ nextAttemptAt }) => nextAttemptAt > now)
}

function textOf(
  { zone: _, ...booking }: Texted,
  kind: 'reminder' | 'cancelled',
  key: string,
  nextAttemptAt: number,
  createdAt: number,
) {
  const onceKey = `${booking.bookingId}/sms/${key}`
  return { id: newId(booking.organizationId), ...booking, kind, onceKey, nextAttemptAt, createdAt }
}

const A_STATEMENT = 1000

function insertAll(db: Db, texts: readonly ReturnType<typeof textOf>[]): Statement[] {
  const parts = Math.ceil(texts.length / A_STATEMENT)
  return Array.from({ length: parts }, (_, at) =>
    insertTexts(db, texts.slice(at * A_STATEMENT, (at + 1) * A_STATEMENT)),
  )
}
