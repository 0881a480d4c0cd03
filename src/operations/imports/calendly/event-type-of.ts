import type { LeftOut } from '../../../platform/db/schema/import-jobs.ts'
import { durationsOf } from '../durations-of.ts'
import { placesOf } from '../places-of.ts'
import type { Found } from '../source.ts'
import { idIn, lineOf, linesOf, slugOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'
import type { Event } from './booking-of.ts'
import { describeLocation, type Location, placeOf } from './place-of.ts'
import { type CustomQuestion, questionsOf } from './questions-of.ts'
import type { User } from './user.ts'

export type EventType = {
  readonly uri: string
  readonly name: string
  readonly slug: string | null
  readonly active: boolean
  readonly secret?: boolean
  readonly deleted_at?: string | null
  readonly booking_method?: string
  readonly kind: 'solo' | 'group'
  readonly pooling_type: 'round_robin' | 'collective' | 'multi_pool' | null
  /** `AdhocEventType` is made for one meeting. */
  readonly type: string
  readonly color?: string
  readonly description_plain?: string | null
  readonly duration: number
  readonly duration_options?: readonly number[] | null
  readonly is_paid?: boolean
  readonly profile?: { readonly type: string; readonly name?: string; readonly owner: string } | null
  readonly locations?: readonly Location[] | null
  readonly custom_questions?: readonly CustomQuestion[]
  readonly position?: number
  readonly before_buffer?: number
  readonly after_buffer?: number
  readonly start_time_increment?: number | null
}

const MOST_BUFFER = 120
const SEATS_UNKNOWN = 10

/** An event type as it can be here, with what it loses. */
export function eventTypeOf(
  one: EventType,
  hosts: readonly User[],
  defaults: ReadonlyMap<string, string>,
  events: readonly Event[],
): Found {
  const id = idIn(one.uri)
  const title = lineOf(one.name, 255) ?? 'Event'
  if (id === null) return { type: 'left_out', lost: leftOut(title, 'unreadable') }
  if (one.booking_method === 'poll') return { type: 'left_out', lost: leftOut(title, 'poll') }
  if (one.pooling_type === 'multi_pool') return { type: 'left_out', lost: leftOut(title, 'several_pools') }

  const lost: LeftOut[] = []
  if (one.is_paid) lost.push(leftOut({ part: 'price', of: title }, 'price'))
  const { places, leftOut: withoutPlaces } = placesOf(title, one.locations ?? [], placeOf, describeLocation)
  const { questions, leftOut: withoutQuestions } = questionsOf(title, one.custom_questions ?? [])
  lost.push(...withoutPlaces, ...withoutQuestions)
  // One that is made for one meeting keeps its booking, and takes no others.
  const isOpen = one.active && one.type !== 'AdhocEventType' && !one.deleted_at
  const step = one.start_time_increment
  return {
    type: 'event_type',
    id,
    title,
    hosts: hosts.map((person) => ({ person, scheduleId: defaults.get(person.uri) ?? null })),
    fields: {
      title,
      slug: slugOf(one.slug, title),
      description: linesOf(one.description_plain, 1000),
      duration_minutes: one.duration,
      duration_options: durationsOf(title, one.duration, one.duration_options, lost),
      buffer_before_minutes: bufferOf(title, one.before_buffer, lost),
      buffer_after_minutes: bufferOf(title, one.after_buffer, lost),
      ...(step && step >= 5 && step <= 480 && { slot_interval_minutes: step }),
      ...(/^#[0-9a-f]{6}$/i.test(one.color ?? '') && { color: one.color!.toLowerCase() }),
      active: isOpen,
      listed: isOpen && one.secret !== true,
      booking_page_enabled: isOpen,
      max_attendees: seatsOf(title, one, events, lost),
      max_guests: 10,
      assignment_strategy: one.pooling_type === 'round_robin' ? 'round_robin' : 'none',
      position: Math.min(Math.max(0, one.position ?? 0), 10_000),
      places,
      questions,
    },
    leftOut: lost,
  }
}

function bufferOf(title: string, minutes = 0, lost: LeftOut[]): number {
  if (minutes > MOST_BUFFER) lost.push(leftOut({ part: 'buffer', of: title }, 'buffer'))
  return Math.min(minutes, MOST_BUFFER)
}

function seatsOf(title: string, one: EventType, events: readonly Event[], lost: LeftOut[]): number {
  if (one.kind !== 'group') return 1
  const limits = events
    .filter((event) => event.event_type === one.uri)
    .map(({ invitees_counter: seats }) => seats?.limit ?? 0)
  const most = Math.max(0, ...limits)
  if (most < 2) lost.push(leftOut({ part: 'seats', of: title }, 'seats'))
  if (most > 100) lost.push(leftOut({ part: 'seats', of: title }, 'too_many_seats'))
  return most < 2 ? SEATS_UNKNOWN : Math.min(most, 100)
}
