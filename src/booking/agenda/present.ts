import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { OpenTime } from './open-times.ts'
import type {
  RawAgendaBooking,
  RawAgendaBusy,
  RawAgendaHold,
  RawAgendaSession,
  RawAgendaTimeOff,
} from './queries.ts'
import type { Agenda } from './schema.ts'

/** With everything else, a booking is then at most 350 bytes. */
const NAME_BYTES = 70
const UTF8 = new TextEncoder()

type Found = {
  readonly bookings: readonly RawAgendaBooking[]
  readonly sessions: readonly RawAgendaSession[]
  readonly holds: readonly RawAgendaHold[]
  readonly timeOff: readonly RawAgendaTimeOff[]
  readonly busy: readonly RawAgendaBusy[]
  readonly openTimes: readonly OpenTime[]
}

export function presentAgenda(organizationId: string, found: Found): Agenda {
  const { bookings, holds } = found
  const seats = Map.groupBy(bookings, ({ session_id }) => session_id)
  const sessions = found.sessions.filter(({ taken }) => taken > 0)
  const isRequest = ({ status }: RawAgendaBooking) => status === 'pending_approval'
  return {
    bookings: bookings
      .filter((row) => row.session_id === null && !isRequest(row))
      .map((row) => ({ ...common(row), status: row.status, invitee_name: fitName(row.invitee_name) })),
    sessions: sessions.map((row) => ({
      ...common(row),
      seats: row.seats,
      taken: row.taken,
      booking_ids: (seats.get(row.id) ?? []).map(({ id }) => id).sort(),
    })),
    requests: bookings.filter(isRequest).map((row) => ({
      ...common(row),
      invitee_name: fitName(row.invitee_name),
      expires_at: formatInstant(row.waits_until!),
    })),
    holds: holds.map((row) => ({
      ...common(row),
      seats: row.seats,
      expires_at: formatInstant(row.expires_at),
    })),
    time_off: found.timeOff.map((row) => ({
      id: row.id,
      member_id: row.resource_id === null && row.member_id !== organizationId ? row.member_id : null,
      resource_id: row.resource_id,
      ...timesOf(row.starts_at, row.ends_at),
      reason: row.reason,
    })),
    busy: found.busy.map((row) => ({
      member_id: row.member_id,
      resource_id: row.resource_id,
      calendar_connection_id: row.connection_id,
      ...timesOf(row.starts_at, row.ends_at),
    })),
    open_hours: found.openTimes.map(({ memberId, eventTypeId, start, end }) => ({
      ...(memberId === undefined ? { event_type_id: eventTypeId } : { member_id: memberId }),
      ...timesOf(start, end),
    })),
    together: togetherIn([
      ...bookings.filter((row) => row.session_id === null || isRequest(row)),
      ...sessions,
      ...holds,
    ]),
  }
}

type Block = Pick<
  RawAgendaSession,
  'id' | 'event_type_id' | 'member_id' | 'start_time' | 'end_time' | 'co_hosts'
>

function common({ id, event_type_id, member_id, start_time, end_time }: Block) {
  return { id, event_type_id, member_id, ...timesOf(start_time, end_time) }
}

function timesOf(start: number, end: number) {
  return { start_time: formatInstant(start), end_time: formatInstant(end) }
}

/** Everything that several host. */
function togetherIn(blocks: readonly Block[]): Agenda['together'] {
  return blocks.flatMap(({ id, member_id, co_hosts }) => {
    if (co_hosts === null) return []
    const others = (JSON.parse(co_hosts) as AssignedHost[]).map((host) => host.member_id)
    return [{ id, member_ids: [...(member_id === null ? [] : [member_id]), ...others].sort() }]
  })
}

/** The name in as many bytes as JSON may have of it. */
function fitName(name: string): string {
  const bytesOf = (text: string) => UTF8.encode(JSON.stringify(text)).length - 2
  if (bytesOf(name) <= NAME_BYTES) return name
  let fitting = ''
  for (const character of name) {
    if (bytesOf(`${fitting}${character}…`) > NAME_BYTES) break
    fitting += character
  }
  return `${fitting}…`
}
