import { CreateEventTypeInput } from '../../booking/event-types/input-schema.ts'
import type { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import { AddHostInput } from '../../booking/hosts/schema.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import type { BodyOf } from '../../platform/http/route-input.ts'
import { ask, need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

/** The settings of an event type, for the body that makes another one. */
export function settingsOf(source: EventType) {
  return pickNamed<BodyOf<typeof eventTypeRoutes.createEventType>>(source, CreateEventTypeInput.shape)
}

function pickNamed<T>(value: object, fields: object): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(fields, name))) as T
}

/** Gives a copy the hours and the hosts of its source. Returns the part of the editor where something is missing, or null. */
export async function copyTimes(
  request: MemberRequest,
  sourceId: string,
  id: string,
): Promise<'hours' | 'hosts' | null> {
  const params = { id }
  const [hours, hosts] = await Promise.all([
    need(request, availabilityRoutes.getAvailabilityRules, { params: { id: sourceId } }),
    need(request, hostRoutes.listHosts, { params: { id: sourceId } }),
  ])
  const { timezone, rules, overrides } = hours
  if (rules.length > 0 || overrides.length > 0) {
    const body = { timezone, rules, overrides }
    const open = await ask(request, availabilityRoutes.putAvailabilityRules, { params, body })
    if (!open.ok) return 'hours'
  }
  for (const host of hosts.data) {
    const body = pickNamed<BodyOf<typeof hostRoutes.addHost>>(host, AddHostInput.shape)
    const added = await ask(request, hostRoutes.addHost, { params, body })
    if (!added.ok) return 'hosts'
  }
  return null
}
