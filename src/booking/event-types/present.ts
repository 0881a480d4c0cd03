import { formatInstant } from '../../platform/http/instants.ts'
import { presentPlaces } from '../places/place-kinds.ts'
import { presentQuestions } from '../questions/present.ts'
import type { Taken } from './count-bookings.ts'
import type { EventTypeRow } from './queries.ts'
import type { OwnEventType, PublicEventType } from './schema.ts'

export function presentPublicEventType(row: EventTypeRow, { booked, held }: Taken): PublicEventType {
  return {
    id: row.id,
    organization_id: row.organizationId,
    title: row.title,
    slug: row.slug,
    description: row.description,
    duration_minutes: row.durationMinutes,
    buffer_before_minutes: row.bufferBeforeMinutes,
    buffer_after_minutes: row.bufferAfterMinutes,
    minimum_notice_minutes: row.minimumNoticeMinutes,
    color: row.color,
    timezone: row.timezone,
    active: row.active,
    is_test: row.isTest,
    price_amount: row.priceAmount,
    price_currency: row.priceCurrency,
    reminder_intervals: row.reminderIntervals,
    reminder_channels: [...row.reminderChannels],
    follow_up_minutes: row.followUpMinutes,
    duration_options: row.durationOptions,
    max_attendees: row.maxAttendees,
    max_guests: row.maxGuests,
    series_max: row.seriesMax,
    assignment_strategy: row.assignmentStrategy,
    booking_cap: row.bookingCap,
    booking_cap_period: row.bookingCapPeriod,
    bookings_remaining: row.bookingCap === null ? null : Math.max(0, row.bookingCap - booked - held),
    booking_count: booked,
    waitlist_enabled: row.waitlistEnabled,
    waitlist_max: row.waitlistMax,
    waitlist_ttl_days: row.waitlistTtlDays,
    booking_page_enabled: row.bookingPageEnabled,
    conferencing_provider: row.conferencingProvider,
    location: row.location,
    places: presentPlaces(row.places, true),
    slot_interval_minutes: row.slotIntervalMinutes,
    booking_window_days: row.bookingWindowDays,
    bookable_from: row.bookableFrom,
    bookable_until: row.bookableUntil,
    invitee_limit: row.inviteeLimit,
    host_choice: row.hostChoice,
    calendar_outage: row.calendarOutage,
    delayed_payment_methods: row.delayedPaymentMethods,
    refund_policy: row.refundPolicy,
    cancel_notice_minutes: row.cancelNoticeMinutes,
    reschedule_notice_minutes: row.rescheduleNoticeMinutes,
    verify_email: row.verifyEmail,
    requires_approval: row.requiresApproval,
    approval_ttl_minutes: row.approvalTtlMinutes,
    questions: presentQuestions(row.questions),
    position: row.position,
    group: row.groupName,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

export function presentEventType(row: EventTypeRow, taken: Taken): OwnEventType {
  return {
    ...presentPublicEventType(row, taken),
    places: presentPlaces(row.places, false),
    hours_from: row.hoursFrom,
    schedule_id: row.scheduleId,
    requires: row.requires.map(({ resource_ids, count }) => ({ resource_ids: [...resource_ids], count })),
    pool_size: row.poolSize,
    custom_meeting_url: row.customMeetingUrl,
    listed: row.listed,
    redirect_url: row.redirectUrl,
  }
}
