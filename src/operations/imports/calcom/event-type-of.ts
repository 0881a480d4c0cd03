import type { LeftOut } from '../../../platform/db/schema/import-jobs.ts'
import type { Part, Why } from '../../../platform/reasons/left-out.ts'
import { durationsOf } from '../durations-of.ts'
import { placesOf } from '../places-of.ts'
import type { Found } from '../source.ts'
import { lineOf, linesOf, slugOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'
import { type EventType, setOf } from './event-type.ts'
import { windowOf } from './limits-of.ts'
import { describeLocation, placeOf } from './place-of.ts'
import { questionsOf } from './questions-of.ts'
import type { User } from './user.ts'

const MOST_BUFFER = 120
const MOST_SEATS = 100
const MOST_IN_SERIES = 52

/** An event type as it can be here, with what it loses. */
export function eventTypeOf(
  one: EventType,
  hosts: readonly User[],
  defaults: ReadonlyMap<number, string>,
): Found {
  const title = lineOf(one.title, 255) ?? 'Event'
  // What a team manages is a template: each member has a copy among their own.
  if (one.schedulingType === 'managed') return { type: 'left_out', lost: leftOut(title, 'managed') }
  const lost: LeftOut[] = []
  const lose = (part: Part, why: Why) => lost.push(leftOut({ part, of: title }, why))
  if ((one.price ?? 0) > 0) lose('price', 'price')
  if (one.successRedirectUrl) lose('redirect', 'redirect')
  const confirmation = setOf(one.confirmationPolicy)
  if (confirmation?.type === 'time') lose('approval', 'approval')
  const buffers = [one.beforeEventBuffer ?? 0, one.afterEventBuffer ?? 0] as const
  if (Math.max(...buffers) > MOST_BUFFER) lose('buffer', 'buffer')
  const seats = setOf(one.seats)?.seatsPerTimeSlot ?? 1
  if (seats > MOST_SEATS) lose('seats', 'too_many_seats')
  const { places, leftOut: withoutPlaces } = placesOf(title, one.locations ?? [], placeOf, describeLocation)
  const { questions, leftOut: withoutQuestions } = questionsOf(title, one.bookingFields ?? [])
  const { fields: limits, leftOut: withoutLimits } = windowOf(title, one)
  lost.push(...withoutPlaces, ...withoutQuestions, ...withoutLimits)
  const { slotInterval: step, scheduleId } = one
  const isRoundRobin = one.schedulingType === 'roundRobin'
  const fixed = new Set(
    one.hosts?.flatMap(({ mandatory, userId }) => (isRoundRobin && mandatory ? userId : [])),
  )
  const color = one.color?.lightThemeHex ?? ''
  return {
    type: 'event_type',
    id: String(one.id),
    title,
    hosts: hosts.map((person) => ({
      person,
      scheduleId: scheduleId && hosts.length === 1 ? String(scheduleId) : (defaults.get(person.id) ?? null),
      isRequired: fixed.has(person.id),
    })),
    fields: {
      title,
      slug: slugOf(one.slug, title),
      description: linesOf(one.description, 1000),
      duration_minutes: one.lengthInMinutes,
      duration_options: durationsOf(title, one.lengthInMinutes, one.lengthInMinutesOptions, lost),
      buffer_before_minutes: Math.min(buffers[0], MOST_BUFFER),
      buffer_after_minutes: Math.min(buffers[1], MOST_BUFFER),
      minimum_notice_minutes: Math.min(one.minimumBookingNotice ?? 0, 43_200),
      ...(step && step >= 5 && step <= 480 && { slot_interval_minutes: step }),
      ...(/^#[0-9a-f]{6}$/i.test(color) && { color: color.toLowerCase() }),
      ...limits,
      listed: one.hidden !== true,
      booking_page_enabled: true,
      max_attendees: Math.min(Math.max(1, seats), MOST_SEATS),
      max_guests: one.disableGuests ? 0 : 10,
      series_max: Math.min(setOf(one.recurrence)?.occurrences ?? 0, MOST_IN_SERIES),
      assignment_strategy: isRoundRobin ? 'round_robin' : 'none',
      verify_email: one.requiresBookerEmailVerification === true,
      requires_approval: confirmation !== null,
      places,
      questions,
    },
    leftOut: lost,
  }
}
