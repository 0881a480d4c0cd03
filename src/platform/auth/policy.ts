import { type Caller, type Role, type TenantCaller, userIdOf } from './caller.ts'

/** What a route demands of its caller. `anyone` is for endpoints without a tenant of their own. */
export type Permission = 'anyone' | 'read' | 'book' | 'administer' | 'own' | 'service-only'

/**
 * What a call may change: nothing (`read`), what belongs to its mode, or what live and test share, such as the
 * members, the plan and the look of the pages.
 */
export type Scope = 'read' | 'mode' | 'shared'

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 }
const NEEDED_RANK = { read: 0, book: 1, administer: 2, own: 3 } as const

export function isPermitted(caller: Caller, permission: Permission): boolean {
  if (permission === 'anyone') return true
  switch (caller.kind) {
    case 'public':
      // Routes that let the public in prove the right to act by a token, or need none.
      return permission === 'book' || permission === 'read'
    case 'operator':
      return true
    case 'api_key':
      return permission !== 'service-only' && isRolePermitted(caller.role, permission)
    case 'service':
      return !caller.onBehalfOf || isRolePermitted(caller.onBehalfOf.role, permission)
  }
}

export function isRolePermitted(role: Role, permission: Exclude<Permission, 'anyone'>): boolean {
  return RANK[role] >= NEEDED_RANK[permission === 'service-only' ? 'administer' : permission]
}

/** Whether the caller may change what is a member's own: as an admin, or as that user. Null is nobody's own. */
export function mayChangeOf(caller: TenantCaller, userId: string | null): boolean {
  return isPermitted(caller, 'administer') || (userId !== null && userIdOf(caller) === userId)
}

/** Whether the second role may do more; a word that is not a role may do nothing. */
export function isRaise(from: Role, to: string): boolean {
  return Object.hasOwn(RANK, to) && RANK[to as Role] > RANK[from]
}

export function lowerRole(a: Role, b: Role): Role {
  return RANK[a] < RANK[b] ? a : b
}

/**
 * A test key changes nothing that live mode shares. The service key in test mode is not a test key: its holder acts in live
 * mode as well.
 */
export function isInScope(caller: Caller, scope: Scope): boolean {
  return !(scope === 'shared' && caller.kind === 'api_key' && caller.isTest)
}
