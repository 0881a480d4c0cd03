import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Host } from '../../booking/hosts/schema.ts'
import {
  type HoursChange,
  listClosed,
  type OpenTimes,
  type ZonedHours,
} from '../../booking/hours/schedules/list-closed.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { need, sharedEnv, wrongIn } from '../ask.ts'
import { type Closing, closingOf } from '../hours/closing.tsx'
import { loadMembers } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import type { HostBody } from './host-values.ts'
import { loadEventType } from './load.ts'
import type { EventTypeBody, HoursBody } from './tabs.ts'

type Change = {
  readonly changed: EventTypeBody
  readonly hours: HoursBody | undefined
  readonly hosts: ReadonlyMap<string, HostBody>
}

/** Bookings in times that saving would close, if the hours or the schedules of hosts are changed and valid. */
export async function closingBy(
  request: MemberRequest,
  id: string,
  { changed, hours, hosts: wanted }: Change,
): Promise<Closing | null> {
  const isOther = hours || changed.schedule_id !== undefined || changed.hours_from !== undefined
  const areHosts = [...wanted.values()].some(({ schedule_id }) => schedule_id !== undefined)
  if (!(isOther || areHosts) || wrongIn(eventTypeRoutes.updateEventType, changed)) return null
  if (hours && wrongIn(availabilityRoutes.putAvailabilityRules, hours)) return null
  const params = { id }
  const [eventType, saved, schedules, { data: hosts }, members] = await Promise.all([
    loadEventType(request, id),
    need(request, availabilityRoutes.getAvailabilityRules, { params }),
    listAll(request, scheduleRoutes.listSchedules),
    need(request, hostRoutes.listHosts, { params }),
    loadMembers(request),
  ])
  const after = { ...eventType, ...changed } as EventType
  const known = { schedules, hosts, members, own: followed(saved, schedules) }
  const hostsAfter = hosts.map((host) => ({ ...host, ...wanted.get(host.id) }) as Host)
  const then = { ...known, hosts: hostsAfter, ...(hours && { own: hours as ZonedHours }) }
  const { now } = request
  const isOfHosts = eventType.hours_from === 'hosts' && after.hours_from === 'hosts'
  const whole = {
    of: { eventTypeId: id },
    before: openTimes(eventType, known),
    after: openTimes(after, then),
    now,
  }
  const ofHosts = hosts.flatMap((host, at): HoursChange[] => {
    const [before, chosen] = [host, hostsAfter[at]!].map((one) => timesOfHost(one, after, known))
    const isChanged = wanted.get(host.id)?.schedule_id !== undefined
    return isChanged && before && chosen
      ? [{ of: { eventTypeId: id, memberId: host.member_id }, before, after: chosen, now }]
      : []
  })
  const changes = [...(isOther && !isOfHosts ? [whole] : []), ...ofHosts]
  return closingOf(request, await listClosed(sharedEnv(request), request, changes))
}

type Known = {
  readonly schedules: readonly Schedule[]
  readonly hosts: readonly Host[]
  readonly members: readonly Member[]
  readonly own: ZonedHours
}

/** Event types without hours follow the organization's default schedule. */
function followed(own: ZonedHours, schedules: readonly Schedule[]): ZonedHours {
  const hasNone = own.rules.length === 0 && own.overrides.length === 0
  return (hasNone && schedules.find((one) => one.is_default && one.member_id === null)) || own
}

/** When it can be booked, or any of its hosts. */
function openTimes({ hours_from, schedule_id }: EventType, { schedules, hosts, members, own }: Known) {
  const defaultOf = (memberId: string) => members.find(({ id }) => id === memberId)?.default_schedule_id
  const used =
    hours_from === 'hosts'
      ? hosts.map((host) => host.schedule_id ?? defaultOf(host.member_id))
      : [schedule_id]
  if (hours_from === 'own' && schedule_id === null) return [own]
  return schedules.filter(({ id }) => used.includes(id))
}

/** When a host is open, by a schedule of their own; null if it is not there. Without one, the event type's hours decide. */
function timesOfHost(
  { schedule_id, member_id }: Host,
  { hours_from }: EventType,
  { schedules, members }: Known,
): OpenTimes | null {
  const used = schedule_id ?? members.find(({ id }) => id === member_id)?.default_schedule_id ?? null
  if (used === null) return hours_from === 'hosts' ? [] : 'always'
  const found = schedules.filter(({ id }) => id === used)
  return found.length === 0 ? null : found
}
