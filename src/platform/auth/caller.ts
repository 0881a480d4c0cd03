import type { Actor } from '../db/schema/bookings.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export type PublicCaller = { readonly kind: 'public' }
export type ApiKeyCaller = {
  readonly kind: 'api_key'
  readonly keyId: string
  readonly organizationId: string
  readonly isTest: boolean
  /** The lower of the role it was made with and its member's role now. */
  readonly role: Role
  /** The member it was made for; null for a key of the organization itself. */
  readonly userId: string | null
  /** What acts with it is named after: that member, or the key. */
  readonly by: Actor
}
export type ServiceCaller = {
  readonly kind: 'service'
  readonly organizationId: string
  readonly isTest: boolean
  /** The member on whose behalf the call is made. */
  readonly onBehalfOf: {
    readonly memberId: string
    readonly userId: string
    readonly role: Role
    readonly name: string
  } | null
}
/** The service key, where the organization is named by the path or not at all. */
export type OperatorCaller = {
  readonly kind: 'operator'
  /** The user on whose behalf the call is made; the verb that knows the organization checks their role. */
  readonly userId: string | null
}

export type TenantCaller = ApiKeyCaller | ServiceCaller
export type Caller = PublicCaller | TenantCaller | OperatorCaller

/** The user on whose behalf a call is made; null where it is nobody's. */
export function userIdOf(caller: TenantCaller): string | null {
  return caller.kind === 'api_key' ? caller.userId : (caller.onBehalfOf?.userId ?? null)
}

/** The data a call is about: one organization, one mode. */
export type Tenant = { readonly organizationId: string; readonly isTest: boolean }

/** The actor, their network and the request. Plain data, so that it can be sent to objects and queues. */
export type Origin = {
  readonly actorType: 'api_key' | 'service' | 'user' | 'invitee' | 'system'
  readonly actorId: string | null
  readonly ipAddress: string | null
  readonly requestId: string | null
  /** The same with its name, for bookings. */
  readonly by?: Actor
}

/** The service itself, acting on an outside event or because it is time. */
export const SYSTEM: Origin = { actorType: 'system', actorId: null, ipAddress: null, requestId: null }

export function loggedActorOf(caller: Caller): Pick<Origin, 'actorType' | 'actorId'> {
  switch (caller.kind) {
    case 'api_key':
      return { actorType: 'api_key', actorId: caller.keyId }
    case 'service':
      return caller.onBehalfOf
        ? { actorType: 'user', actorId: caller.onBehalfOf.userId }
        : { actorType: 'service', actorId: null }
    case 'operator':
      return caller.userId === null
        ? { actorType: 'service', actorId: null }
        : { actorType: 'user', actorId: caller.userId }
    case 'public':
      return { actorType: 'invitee', actorId: null }
  }
}

/** The caller as an actor with a name; undefined if it has none. */
export function namedActorOf(caller: Caller): Actor | undefined {
  if (caller.kind === 'api_key') return caller.by
  if (caller.kind !== 'service' || !caller.onBehalfOf) return undefined
  const { memberId, name } = caller.onBehalfOf
  return { type: 'member', id: memberId, name }
}

const TYPES = {
  api_key: 'api_key',
  service: 'service',
  user: 'member',
  invitee: 'invitee',
  system: 'system',
} as const

/** The actor that a change is recorded with. */
export function actorOf({ actorType, by }: Pick<Origin, 'actorType' | 'by'>): Actor {
  return by ?? { type: TYPES[actorType], id: null, name: null }
}
