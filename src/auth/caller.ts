export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export type PublicCaller = { readonly kind: 'public' }
export type ApiKeyCaller = {
  readonly kind: 'api_key'
  readonly keyId: string
  readonly organizationId: string
  readonly isTest: boolean
  /** The least of what it was made with and of what its member is now. */
  readonly role: Role
  /** The member that it was made for; null for a key of the organization itself. */
  readonly userId: string | null
}
export type ServiceCaller = {
  readonly kind: 'service'
  readonly organizationId: string
  readonly isTest: boolean
  /** The member on whose behalf the call is made. */
  readonly onBehalfOf: { readonly memberId: string; readonly userId: string; readonly role: Role } | null
}
/** The service key where the path, or nothing yet, names the organization. */
export type OperatorCaller = {
  readonly kind: 'operator'
  /** On whose behalf the call is made; whoever knows the organization checks that role. */
  readonly userId: string | null
}

export type TenantCaller = ApiKeyCaller | ServiceCaller
export type Caller = PublicCaller | TenantCaller | OperatorCaller

/** Whose data a call is about: one organization, one mode. */
export type Tenant = { readonly organizationId: string; readonly isTest: boolean }

/** Who did it, from where and in which request; plain data, so that it travels to objects and into queues. */
export type Origin = {
  readonly actorType: 'api_key' | 'service' | 'user' | 'invitee' | 'system'
  readonly actorId: string | null
  readonly ipAddress: string | null
  readonly requestId: string | null
}

/** The service itself, doing what follows from something outside of it or from the time. */
export const SYSTEM: Origin = { actorType: 'system', actorId: null, ipAddress: null, requestId: null }

export function actorOf(caller: Caller): Pick<Origin, 'actorType' | 'actorId'> {
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
