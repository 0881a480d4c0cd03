import type { Agenda } from '../../booking/agenda/schema.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Member } from '../../people/team/schema.ts'
import type { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { timeText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { nameOf } from '../hours/people.ts'

type Texts = (typeof calendarViewTexts)['en'] | (typeof calendarViewTexts)['de']

type Block = Pick<Agenda['holds'][number], 'id' | 'event_type_id' | 'member_id' | 'start_time' | 'end_time'>

/** What a calendar is made of. */
export type Facts = {
  readonly agenda: Agenda
  readonly eventTypes: ReadonlyMap<string, Pick<EventType, 'title' | 'color'>>
  readonly members: ReadonlyMap<string, Member>
  readonly rooms: ReadonlyMap<string, string>
}

/** A block of a calendar. */
export type Entry = {
  readonly id: string
  readonly kind: 'booking' | 'session' | 'request' | 'hold'
  readonly href: string
  readonly start: number
  readonly end: number
  readonly eventTypeId: string
  readonly title: string
  /** Below the title: its host and what else is to be known. */
  readonly notes: readonly string[]
  readonly memberIds: readonly string[]
}

/** Everything that takes time, by start. A requested or held seat is in its session's block. */
export function entriesOf(
  { agenda, eventTypes, members }: Facts,
  texts: Texts,
  locale: Locale,
  zone: string,
): Entry[] {
  const together = new Map(agenda.together.map(({ id, member_ids }) => [id, member_ids]))
  const seated = new Set(agenda.sessions.flatMap(({ booking_ids }) => booking_ids))
  const sessionStarts = new Set(agenda.sessions.map(startKey))
  const titleOf = (id: string) => eventTypes.get(id)?.title ?? texts.deleted
  const common = (one: Block) => {
    const memberIds = together.get(one.id) ?? (one.member_id === null ? [] : [one.member_id])
    const hosts = memberIds.flatMap((id) => {
      const member = members.get(id)
      return member ? [nameOf(member)] : []
    })
    return {
      base: {
        id: one.id,
        start: Date.parse(one.start_time),
        end: Date.parse(one.end_time),
        eventTypeId: one.event_type_id,
        memberIds,
      },
      hosts,
    }
  }
  const entries = [
    ...agenda.bookings.map((one): Entry => {
      const { base, hosts } = common(one)
      const unpaid = one.status === 'pending_payment' ? [texts.unpaid] : []
      const notes = [titleOf(one.event_type_id), ...hosts, ...unpaid]
      return { ...base, kind: 'booking', href: `bookings/${one.id}`, title: one.invitee_name, notes }
    }),
    ...agenda.sessions.map((one): Entry => {
      const { base, hosts } = common(one)
      const seats = fill(texts.seats, { taken: one.taken, seats: one.seats })
      const isEmpty = one.booking_ids.length === 0
      const href = isEmpty ? `bookings/sessions?type=${one.event_type_id}` : `bookings/sessions/${one.id}`
      const notes = [seats, ...hosts]
      return { ...base, kind: 'session', href, title: titleOf(one.event_type_id), notes }
    }),
    ...agenda.requests
      .filter(({ id }) => !seated.has(id))
      .map((one): Entry => {
        const { base, hosts } = common(one)
        const notes = [texts.request, titleOf(one.event_type_id), ...hosts]
        return { ...base, kind: 'request', href: `bookings/${one.id}`, title: one.invitee_name, notes }
      }),
    ...agenda.holds
      .filter((one) => !sessionStarts.has(startKey(one)))
      .map((one): Entry => {
        const { base, hosts } = common(one)
        const until = fill(texts.held, { time: timeText(locale, Date.parse(one.expires_at), zone) })
        const title = titleOf(one.event_type_id)
        return { ...base, kind: 'hold', href: `bookings/holds/${one.id}`, title, notes: [until, ...hosts] }
      }),
  ]
  return entries.sort((one, other) => one.start - other.start || other.end - one.end)
}

function startKey({ event_type_id, start_time }: { event_type_id: string; start_time: string }): string {
  return `${event_type_id} ${start_time}`
}

/** Time behind the blocks. */
export type Band = {
  readonly kind: 'busy' | 'off'
  readonly start: number
  readonly end: number
  readonly text: string
  /** Null is everybody. */
  readonly memberId: string | null
}

export function bandsOf({ agenda, members, rooms }: Facts, texts: Texts): Band[] {
  const who = (id: string) => {
    const member = members.get(id)
    return member ? nameOf(member) : ''
  }
  const span = ({ start_time, end_time }: { start_time: string; end_time: string }) => ({
    start: Date.parse(start_time),
    end: Date.parse(end_time),
  })
  // Everybody's time off is each member's, too.
  const ofAll = agenda.time_off.filter(
    ({ member_id, resource_id }) => member_id === null && resource_id === null,
  )
  const isOfAll = (one: Agenda['time_off'][number]) =>
    one.member_id !== null &&
    ofAll.some(({ start_time, end_time }) => one.start_time === start_time && one.end_time === end_time)
  return [
    ...agenda.busy
      .filter(({ resource_id }) => resource_id === null)
      .map((one): Band => ({ kind: 'busy', ...span(one), text: texts.busy, memberId: one.member_id })),
    ...agenda.time_off
      .filter((one) => !isOfAll(one))
      .map((one): Band => {
        const room = one.resource_id === null ? undefined : (rooms.get(one.resource_id) ?? '')
        const name =
          room !== undefined
            ? fill(texts.offRoom, { name: room })
            : one.member_id === null
              ? texts.offAll
              : fill(texts.offOf, { name: who(one.member_id) })
        const text = one.reason === null ? name : `${name}: ${one.reason}`
        return { kind: 'off', ...span(one), text, memberId: one.member_id }
      }),
  ]
}

/** The shortest block, in minutes: it must be high enough for a finger. */
export function shortestOf(entries: readonly Entry[]): number {
  const minutes = entries.map(({ start, end }) => Math.round((end - start) / MINUTE_MS))
  return Math.max(15, Math.min(30, ...minutes))
}
