import { env } from 'cloudflare:workers'
import { call } from './app.ts'
import { book, bookAsAnother, createEventType, iso, type Organization } from './factories.ts'
import { userWithRole } from './members.ts'

/** A new member of the organization. */
export async function createMember(organization: Organization): Promise<{ id: string; userId: string }> {
  const userId = await userWithRole(organization, 'member')
  const row = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
    .bind(userId)
    .first<{ id: string }>()
  return { id: row!.id, userId }
}

export async function addHost(
  key: string,
  eventTypeId: string,
  memberId: string,
  input: Record<string, unknown> = {},
): Promise<any> {
  const { status, body } = await call('POST', `/v1/event-types/${eventTypeId}/hosts`, {
    key,
    body: { member_id: memberId, ...input },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

/** New members who host the event type, in the order of their age. */
export async function addHosts(
  organization: Organization,
  key: string,
  eventTypeId: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const { id } = await createMember(organization)
    await addHost(key, eventTypeId, id)
    ids.push(id)
  }
  return ids
}

/**
 * A session that began as a booking, which has left it for the session of another host an hour later. The second to come is
 * still there.
 */
export async function leftByFirst(
  organization: Organization,
  start: number,
  input: Record<string, unknown> = {},
) {
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin', ...input })
  const [host, other] = await addHosts(organization, key, id, 2)
  const { body: first } = await book(id, start)
  await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_attendees: 5 } })
  const { body: second } = await bookAsAnother(id, start)
  const there = start + 3_600_000
  await bookAsAnother(id, there)
  const moved = await call('POST', `/v1/bookings/${first.id}/reschedule`, {
    key,
    body: { new_start_time: iso(there) },
  })
  if (moved.body.assigned_host?.member_id !== other) throw new Error(JSON.stringify(moved.body))
  return { id: id as string, host: host!, other: other!, first, second }
}
