import type { Call, OpenWorld, Reply } from '../world.ts'
import { callerOf, limitRate, refuseRole } from './check-access.ts'
import { controlCal } from './control-calcom.ts'
import { fillWorld } from './fill-world.ts'
import { listBookings, listOldBookings, listTeamBookings } from './list-bookings.ts'
import { getEventType, listEventTypes, listOldEventTypes, listTeamEventTypes } from './list-event-types.ts'
import { listOldSchedules, listSchedules } from './list-schedules.ts'
import { refuse, refusePath } from './refuse.ts'
import { showBooking } from './show-bookings.ts'
import { type Cal, holdCal, listed, type Stored, shown } from './state.ts'
import { partOf } from './turn-pages.ts'

/** Cal.com with a studio of three and somebody alone: what is at api.cal.com/v2. */
export const openCalcom: OpenWorld = (frame) => {
  const cal = holdCal(frame)
  fillWorld(cal)
  return { answer: (call) => answerCal(cal, call), control: (call) => controlCal(cal, call) }
}

/**
 * Which versions each address has, the old form and the new one: the header names a date, and without it the oldest answers
 * in another form. A date that is not among them is 404, as if there were no such address: calcom/cal.diy#21202, #15549.
 */
const VERSIONS: Readonly<Record<string, { old: readonly string[]; now: readonly string[] }>> = {
  'event-types': { old: ['2024-04-15', '2024-06-11'], now: ['2024-06-14'] },
  schedules: { old: ['2024-04-15'], now: ['2024-06-11', '2024-06-14'] },
  bookings: { old: ['2024-04-15', '2024-06-11', '2024-06-14'], now: ['2024-08-13', '2026-02-25'] },
}

function answerCal(cal: Cal, call: Call): Reply {
  const limited = limitRate(cal, call)
  const reply = limited.refusal ?? answerCaller(cal, call)
  return { ...reply, headers: { ...limited.headers, ...reply.headers } }
}

function answerCaller(cal: Cal, call: Call): Reply {
  const [, root, address = '', id, inner, ...rest] = call.path.split('/')
  if (call.method !== 'GET' || root !== 'v2' || rest.length > 0) return refusePath(call)
  const versions = VERSIONS[address]
  const version = call.headers['cal-api-version'] ?? '2024-04-15'
  const isOld = versions?.old.includes(version) ?? false
  if (versions && !isOld && !versions.now.includes(version)) return refusePath(call)
  if (address === 'teams' && inner === 'event-types') return listTeamEventTypes(cal, call, Number(id))
  const found = callerOf(cal, call)
  if ('refusal' in found) return found.refusal
  return address === 'teams'
    ? answerTeams(cal, call, found.user, id, inner)
    : answerOwn(cal, call, found.user, { address, id, isOld })
}

function answerOwn(
  cal: Cal,
  call: Call,
  user: Stored,
  { address, id, isOld }: { address: string; id: string | undefined; isOld: boolean },
): Reply {
  switch (address) {
    case 'me':
      return { status: 200, json: { status: 'success', data: shown(user) } }
    case 'event-types':
      if (isOld) return listOldEventTypes(cal, user)
      return id === undefined ? listEventTypes(cal, call, user) : getEventType(cal, call, user, id)
    case 'schedules':
      return isOld ? listOldSchedules(cal, user) : listSchedules(cal, [user.id])
    case 'bookings':
      if (isOld) return listOldBookings(cal, user)
      return id === undefined ? listBookings(cal, call, user) : getBooking(cal, call, id)
    default:
      return refusePath(call)
  }
}

function getBooking(cal: Cal, call: Call, uid: string): Reply {
  const booking = listed(cal, 'bookings').find((one) => one.uid === uid)
  if (!booking) return refuse(call, 404, `Booking with uid=${uid} was not found in the database`)
  return { status: 200, json: { status: 'success', data: showBooking(cal, booking) } }
}

/** cal.com/docs/api-reference/v2/teams…: all but the event types are for admins. */
function answerTeams(cal: Cal, call: Call, user: Stored, id?: string, inner?: string): Reply {
  if (id === undefined) {
    const teamIds = listed(cal, 'memberships').flatMap((one) => (one.userId === user.id ? [one.teamId] : []))
    const data = listed(cal, 'teams').filter((team) => teamIds.includes(team.id))
    return { status: 200, json: { status: 'success', data } }
  }
  const teamId = Number(id)
  const refusal = refuseRole(cal, call, user, teamId, inner === undefined ? 'MEMBER' : 'ADMIN')
  if (refusal) return refusal
  const members = listed(cal, 'memberships').filter((one) => one.teamId === teamId)
  switch (inner) {
    case undefined:
      return { status: 200, json: { status: 'success', data: cal.records.teams.get(teamId) } }
    case 'bookings':
      return listTeamBookings(cal, call, teamId)
    case 'schedules':
      return listSchedules(
        cal,
        members.map(({ userId }) => userId),
      )
    case 'memberships': {
      const part = partOf(call, 250)
      if ('refusal' in part) return part.refusal
      return {
        status: 200,
        json: { status: 'success', data: members.slice(part.skip, part.skip + part.take) },
      }
    }
    default:
      return refusePath(call)
  }
}
