import { formatInstant } from '../../platform/http/instants.ts'
import { presentPlaces } from '../places/place-kinds.ts'
import { presentQuestions } from '../questions/present.ts'
import type { HostToChoose } from '../shown-hosts/statements.ts'
import type { ListedRow, PageRow } from './queries.ts'
import type { ListedEventType, PageEventType } from './schema.ts'

export function presentListed(row: ListedRow): ListedEventType {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    description: row.description,
    duration_minutes: row.durationMinutes,
    color: row.color,
    price_amount: row.priceAmount,
    price_currency: row.priceCurrency,
    conferencing_provider: row.conferencingProvider,
    location: row.location,
    group: row.groupName,
    requires_approval: row.requiresApproval,
  }
}

export function presentPageEventType(row: PageRow, toChoose: readonly HostToChoose[] | null): PageEventType {
  return {
    ...presentListed(row),
    places: presentPlaces(row.places, true),
    // With places, these do not count.
    ...(row.places.length > 0 && { conferencing_provider: null, location: null }),
    timezone: row.timezone,
    duration_options: row.durationOptions,
    max_attendees: row.maxAttendees,
    max_guests: row.maxGuests,
    series_max: row.seriesMax,
    waitlist_enabled: row.waitlistEnabled,
    waitlist_max: row.waitlistMax,
    waitlist_ttl_days: row.waitlistTtlDays,
    refund_policy: row.refundPolicy,
    cancel_notice_minutes: row.cancelNoticeMinutes,
    reschedule_notice_minutes: row.rescheduleNoticeMinutes,
    verify_email: row.verifyEmail,
    ...(row.reminderChannels.includes('sms') && { text_reminders: true }),
    questions: presentQuestions(row.questions),
    host_choice: row.hostChoice,
    ...(toChoose && { hosts: [...toChoose] }),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}
