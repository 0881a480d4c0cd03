import { env } from 'cloudflare:workers'
import { call } from './app.ts'
import type { Organization } from './factories.ts'
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
