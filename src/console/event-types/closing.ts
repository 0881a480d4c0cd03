import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import type { Host } from '../../booking/hosts/schema.ts'
import { listClosed, type ZonedHours } from '../../booking/hours/schedules/list-closed.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { need, sharedEnv, wrongIn } from '../ask.ts'
import { type Closing, closingOf } from '../hours/closing.tsx'
import { loadMembers } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { loadEventType } from './load.ts'
import type { EventTypeBody, HoursBody } from './tabs.ts'

type Change = { readonly changed: EventTypeBody; readonly hours: HoursBody | undefined }

/** Bookings in times that saving would close, if the hours are changed and valid. */
export async function closingBy(
  request: MemberRequest,
  id: string,
  { changed, hours }: Change,
): Promise<Closing | null> {
  const isOther = hours || changed.schedule_id !== undefined || changed.hours_from !== undefined
  if (!isOther || wrongIn(eventTypeRoutes.updateEventType, changed)) return null
  if (hours && wrongIn(availabilityRoutes.putAvailabilityRules, hours)) return null
  const params = { id }
  const [eventType, saved, schedules, hosts, members] = await Promise.all([
    loadEventType(request, id),
    need(request, availabilityRoutes.getAvailabilityRules, { params }),
    listAll(request, scheduleRoutes.listSchedules),
    need(request, hostRoutes.listHosts, { params }),
    loadMembers(request),
  ])
  const after = { ...eventType, ...changed } as EventType
  if (eventType.hours_from === 'hosts' && after.hours_from === 'hosts') return null
  const known = { schedules, hosts: hosts.data, members }
  const change = {
    of: { eventTypeId: id },
    before: openTimes(eventType, { ...known, own: followed(saved, schedules) }),
    after: openTimes(after, { ...known, own: hours ? (hours as ZonedHours) : followed(saved, schedules) }),
    now: request.now,
  }
  return closingOf(request, await listClosed(sharedEnv(request), request, change))
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
