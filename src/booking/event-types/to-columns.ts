import { amountStep, leastAmount } from '../../core/currencies.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { invalid } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { withIds } from '../places/choose-place.ts'
import type { CreateEventTypeInput, UpdateEventTypeInput } from './input-schema.ts'
import type { EventTypeRow } from './queries.ts'

/** The columns of a new event type that do not follow from its fields alone. */
type Added = 'id' | 'organizationId' | 'isTest' | 'timezone' | 'bookingCapPeriod' | 'defaultScheduleId'
type Counted = 'activeBookings' | 'collectiveBookings' | 'collectiveBookedAt' | 'manyHosts'
type Stamped = 'version' | 'createdAt' | 'updatedAt' | 'deletedAt'

/** The columns of the fields that were sent. */
export function toColumns(input: CreateEventTypeInput): Omit<EventTypeRow, Added | Counted | Stamped>
export function toColumns(input: UpdateEventTypeInput): Partial<EventTypeRow>
export function toColumns(input: UpdateEventTypeInput): Partial<EventTypeRow> {
  return definedOnly({
    title: input.title,
    slug: input.slug,
    description: input.description,
    durationMinutes: input.duration_minutes,
    bufferBeforeMinutes: input.buffer_before_minutes,
    bufferAfterMinutes: input.buffer_after_minutes,
    minimumNoticeMinutes: input.minimum_notice_minutes,
    color: input.color,
    timezone: input.timezone,
    active: input.active,
    priceAmount: input.price_amount,
    priceCurrency: input.price_currency,
    reminderIntervals: input.reminder_intervals,
    reminderChannels: input.reminder_channels,
    followUpMinutes: input.follow_up_minutes,
    durationOptions: input.duration_options,
    maxAttendees: input.max_attendees,
    maxGuests: input.max_guests,
    seriesMax: input.series_max,
    assignmentStrategy: input.assignment_strategy,
    poolSize: input.pool_size,
    bookingCap: input.booking_cap,
    bookingCapPeriod: input.booking_cap_period,
    waitlistEnabled: input.waitlist_enabled,
    waitlistMax: input.waitlist_max,
    waitlistTtlDays: input.waitlist_ttl_days,
    bookingPageEnabled: input.booking_page_enabled,
    conferencingProvider: input.conferencing_provider,
    customMeetingUrl: input.custom_meeting_url,
    location: input.location,
    places: input.places && withIds(input.places),
    hoursFrom: input.hours_from,
    scheduleId: input.schedule_id,
    requires: input.requires,
    slotIntervalMinutes: input.slot_interval_minutes,
    bookingWindowDays: input.booking_window_days,
    bookableFrom: input.bookable_from,
    bookableUntil: input.bookable_until,
    inviteeLimit: input.invitee_limit,
    calendarOutage: input.calendar_outage,
    hostChoice: input.host_choice,
    delayedPaymentMethods: input.delayed_payment_methods,
    refundPolicy: input.refund_policy,
    cancelNoticeMinutes: input.cancel_notice_minutes,
    rescheduleNoticeMinutes: input.reschedule_notice_minutes,
    verifyEmail: input.verify_email,
    requiresApproval: input.requires_approval,
    approvalTtlMinutes: input.approval_ttl_minutes,
    questions: input.questions,
    position: input.position,
    groupName: input.group,
    listed: input.listed,
    redirectUrl: input.redirect_url,
  })
}

/** Checks the resulting row as a whole. A price that it had before stays valid. */
export function assertCoherent(row: EventTypeRow, before?: EventTypeRow): void {
  if (row.durationOptions && !row.durationOptions.includes(row.durationMinutes)) {
    throw invalid({ duration_options: problem('duration_missing', { minutes: row.durationMinutes }) })
  }
  const { bookableFrom, bookableUntil } = row
  if (bookableFrom !== null && bookableUntil !== null && bookableUntil < bookableFrom) {
    throw invalid({ bookable_until: problem('before_start') })
  }
  if (before?.priceAmount !== row.priceAmount || before.priceCurrency !== row.priceCurrency) assertPrice(row)
}

/** The provider would refuse every booking. */
function assertPrice({ priceAmount: amount, priceCurrency: currency }: EventTypeRow): void {
  if (amount === null) return
  const [step, least] = [amountStep(currency), leastAmount(currency)]
  if (amount % step !== 0) {
    throw invalid({ price_amount: problem('price_uneven', { step, currency }) })
  }
  if (amount < least) {
    throw invalid({ price_amount: problem('price_too_low', { least, currency }) })
  }
}

/** A cap without a period counts all bookings. */
export function withCapPeriod<T extends Partial<EventTypeRow>>(row: T): T {
  return row.bookingCap != null && row.bookingCapPeriod == null ? { ...row, bookingCapPeriod: 'total' } : row
}
