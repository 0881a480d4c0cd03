import { env } from 'cloudflare:workers'
import type { Role } from '../../src/platform/auth/caller.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { createKey, type Organization, unique } from './factories.ts'

/** The member with that role, and their user id. */
export async function memberWithRole(organization: Organization, role: Role) {
  const userId = await userWithRole(organization, role)
  const select = env.DB.prepare('SELECT id FROM members WHERE organization_id = ? AND user_id = ?')
  return { userId, id: (await select.bind(organization.id, userId).first<string>('id'))! }
}

/** The user id of somebody with that role in the organization; the owner is who it was made for. */
export async function userWithRole(organization: Organization, role: Role): Promise<string> {
  if (role === 'owner') return organization.ownerUserId
  const userId = unique(role)
  await env.DB.prepare(
    'INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
    .bind(looseId(), organization.id, userId, `${userId}@example.com`, role, Date.now(), Date.now())
    .run()
  return userId
}

/** The address of a member, which invitees are not shown. */
export async function addressOf({ member_id: id }: { readonly member_id: string }): Promise<string> {
  const select = env.DB.prepare('SELECT user_email FROM members WHERE id = ?')
  return (await select.bind(id).first<string>('user_email'))!
}

/** A key that acts for the member. Only admins have keys made, so they are one for that moment. */
export async function keyOfMember(
  organization: Organization,
  member: { readonly id: string; readonly userId: string },
  mode: 'live' | 'test' = 'live',
): Promise<string> {
  const become = (role: Role) =>
    env.DB.prepare('UPDATE members SET role = ? WHERE id = ?').bind(role, member.id).run()
  await become('admin')
  const { key } = await createKey(organization.id, mode, {}, member.userId)
  await become('member')
  return key
}
