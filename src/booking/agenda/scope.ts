import type { Interval } from '../../core/interval.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { notFound } from '../../platform/http/errors.ts'
import {
  type RawAgendaEventType,
  type RawAgendaHost,
  selectEventTypes,
  selectHosts,
  selectMembers,
  selectOrganization,
  selectRooms,
} from './queries.ts'
import { rangeOf } from './range.ts'
import type { AgendaQuery } from './schema.ts'

export type AgendaEventType = RawAgendaEventType & { readonly hosts: readonly RawAgendaHost[] }

/** Whom and what an agenda is about. */
export type Scope = {
  readonly range: Interval
  readonly eventTypes: readonly AgendaEventType[]
  readonly memberIds: readonly string[]
  readonly roomIds: readonly string[]
  /** The default schedules of members who were read themselves, not as hosts. */
  readonly usualSchedules: ReadonlyMap<string, string | null>
  /** Whether an event type without hosts is in it: everybody's time off and these calendars close it. */
  readonly closers: { readonly ownerId: string | null; readonly connectionId: string | null } | null
}

/** One round trip. */
export async function loadScope(db: Db, tenant: Tenant, query: AgendaQuery): Promise<Scope> {
  const { member_id: memberId, event_type_id: eventTypeId, resource_id: roomId } = query
  const { organizationId } = tenant
  const asked = [
    organizationId,
    Number(tenant.isTest),
    memberId ?? null,
    eventTypeId ?? null,
    roomId ?? null,
  ] as const
  const [organizations, rows, hosts, members, rooms] = await db.batch([
    selectOrganization(db, organizationId),
    selectEventTypes(db, ...asked),
    selectHosts(db, ...asked),
    selectMembers(db, ...asked),
    selectRooms(db, ...asked),
  ])
  const organization = organizations[0]!
  const range = rangeOf(query, organization.timezone)
  if (memberId !== undefined && members.length === 0) throw notFound('member')
  if (eventTypeId !== undefined && !rows.some((row) => !row.is_deleted)) throw notFound('event type')
  if (roomId !== undefined && rooms.length === 0) throw notFound('resource')

  const hostsOf = Map.groupBy(hosts, ({ event_type_id }) => event_type_id)
  const eventTypes = rows
    .map((row) => ({ ...row, hosts: hostsOf.get(row.id) ?? [] }))
    .filter((row) => memberId === undefined || row.hosts.some(({ member_id }) => member_id === memberId))
    .filter((row) => roomId === undefined || roomsOf(row).includes(roomId))
  const isWhole = memberId === undefined && eventTypeId === undefined && roomId === undefined
  const everybody = [...members.map(({ id }) => id), ...eventTypes.flatMap(membersOf)]
  const hasHostless = memberId === undefined && eventTypes.some((row) => row.hosts.length === 0)
  return {
    range,
    eventTypes,
    memberIds: memberId === undefined ? [...new Set(everybody)] : [memberId],
    roomIds:
      isWhole || roomId !== undefined
        ? rooms.map(({ id }) => id)
        : eventTypeId === undefined
          ? []
          : [...new Set(eventTypes.flatMap(roomsOf))],
    usualSchedules: new Map(members.map(({ id, schedule_id }) => [id, schedule_id])),
    closers:
      isWhole || hasHostless
        ? { ownerId: organization.owner, connectionId: organization.default_calendar }
        : null,
  }
}

function membersOf({ hosts }: AgendaEventType): string[] {
  return hosts.map(({ member_id }) => member_id)
}

function roomsOf({ requires }: AgendaEventType): string[] {
  if (requires === '[]') return []
  return (JSON.parse(requires) as { resource_ids: string[] }[]).flatMap(({ resource_ids }) => resource_ids)
}
