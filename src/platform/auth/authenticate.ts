import { eq } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { openDb } from '../db/client.ts'
import { isId } from '../db/ids.ts'
import { organizations } from '../db/schema/organizations.ts'
import { homeOf } from '../db/shards.ts'
import { takeAnswered } from '../limits/answered-calls.ts'
import { isBraked } from '../limits/braked-networks.ts'
import { type AskedMs, nowAsSeen, type RealMs } from '../limits/clock.ts'
import { keyCounterOf } from '../limits/key-counter.ts'
import { networkOf } from '../limits/network.ts'
import type { Tier } from '../limits/plans.ts'
import type { RateDecision } from '../limits/window.ts'
import { type Problem, problem } from '../reasons/reason.ts'
import { isKeyShaped, shardOfKey } from './api-key.ts'
import type { Caller, ServiceCaller } from './caller.ts'
import { type CalledKey, isKnownKey } from './known-keys.ts'
import { lowerRole } from './policy.ts'
import { isToken, sha256 } from './secret.ts'
import { selectMember } from './select-member.ts'
import { isServiceKey } from './service-key.ts'

/**
 * How a route authenticates: `none` never looks at a key; `key` needs one; `optional-key` takes the public too; `key-or-token`
 * takes the public with a token that the route checks; `service` is for the service key without an organization;
 * `key-or-operator` takes an API key, or the service key without an organization.
 */
export type AuthKind = 'none' | 'key' | 'optional-key' | 'key-or-token' | 'service' | 'key-or-operator'

type Authentication =
  | {
      readonly ok: true
      readonly caller: Caller
      /** The present for the caller's mode: a sandbox may have a clock of its own. */
      readonly now: AskedMs
      readonly rate: (RateDecision & { readonly tier: Tier }) | null
      /** The key that it came with. */
      readonly apiKey?: CalledKey
      /** What came in place of a key: the token of one thing, which its route checks. */
      readonly token?: string
    }
  | {
      readonly ok: false
      readonly why: 'no_key' | 'no_service_key' | 'not_a_member' | 'no_organization'
      /** Of something that has the shape of a key; it may have been one. */
      readonly apiKey?: CalledKey
    }
  | {
      readonly ok: false
      /** What is wrong with a header. */
      readonly wrong: Readonly<Record<string, Problem>>
    }

const UNAUTHORIZED = { ok: false, why: 'no_key' } as const
const NO_MODE = {
  ok: false,
  wrong: { 'X-Service-Mode': problem('not_one_of', { values: ['live', 'test'] }) },
} as const

/** The caller and, for an API key, this call's place in its rate windows. Expected refusals are values. */
export async function authenticate(
  request: Request,
  env: Env,
  auth: AuthKind,
  now: RealMs,
  counted: boolean,
): Promise<Authentication> {
  const header = request.headers.get('authorization')
  const isPublicWelcome = auth === 'optional-key' || auth === 'key-or-token'
  if (auth === 'none' || (isPublicWelcome && header === null)) {
    return { ok: true, caller: { kind: 'public' }, now, rate: null }
  }
  const secret = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (!secret) return UNAUTHORIZED
  if (auth === 'key-or-token' && isToken(secret) && !(await isServiceKey(secret, env.SERVICE_KEY))) {
    return { ok: true, caller: { kind: 'public' }, now, rate: null, token: secret }
  }
  if (await isServiceKey(secret, env.SERVICE_KEY)) {
    if (auth !== 'service' && auth !== 'key-or-operator') return authenticateService(request, env, now)
    if (!isMode(request.headers.get('x-service-mode'))) return NO_MODE
    const userId = request.headers.get('x-user-id')
    return { ok: true, caller: { kind: 'operator', userId }, now, rate: null }
  }
  if (auth === 'service') return { ok: false, why: 'no_service_key' }
  if (!isKeyShaped(secret)) return UNAUTHORIZED

  const hash = await sha256(secret)
  const shard = shardOfKey(secret)
  const network = networkOf(request.headers.get('cf-connecting-ip'))
  if (isBraked(network, now) && !(await isKnownKey(env, { hash, shard }, now))) return UNAUTHORIZED
  const admission = await keyCounterOf(env, hash).admit(hash, now, counted, shard, takeAnswered(hash))
  if (!admission) return { ...UNAUTHORIZED, apiKey: { hash, shard } }
  const { key, rate } = admission
  return {
    ok: true,
    caller: {
      kind: 'api_key',
      keyId: key.id,
      organizationId: key.organizationId,
      isTest: key.isTest,
      role: key.member ? lowerRole(key.role, key.member.role) : key.role,
      userId: key.member?.userId ?? null,
      by: key.member
        ? { type: 'member', id: key.member.id, name: key.member.name }
        : { type: 'api_key', id: key.id, name: key.name },
    },
    now: admission.now,
    rate: { ...rate, tier: key.tier },
    apiKey: { hash, shard },
  }
}

/** Without the header a call is live. */
function isMode(mode: string | null): boolean {
  return mode === null || mode === 'live' || mode === 'test'
}

async function authenticateService(request: Request, env: Env, now: RealMs): Promise<Authentication> {
  const organizationId = request.headers.get('x-org-id')
  if (organizationId === null || !isId(organizationId)) {
    return { ok: false, wrong: { 'X-Org-Id': problem('no_organization_id') } }
  }
  const mode = request.headers.get('x-service-mode')
  if (!isMode(mode)) return NO_MODE
  const userId = request.headers.get('x-user-id')
  const [organization, onBehalfOf] = await findActing(env, organizationId.toLowerCase(), userId)
  if (!organization) return { ok: false, why: 'no_organization' }
  if (userId !== null && !onBehalfOf) return { ok: false, why: 'not_a_member' }
  const caller: ServiceCaller = {
    kind: 'service',
    organizationId: organization.id,
    isTest: mode === 'test',
    onBehalfOf: onBehalfOf ?? null,
  }
  return { ok: true, caller, now: nowAsSeen(caller.isTest, organization.sandboxNow, now), rate: null }
}

async function findActing(env: Env, organizationId: string, userId: string | null) {
  const db = openDb(homeOf(env, organizationId), 'decide')
  const [[organization], [member]] = await db.batch([
    db
      .select({ id: organizations.id, sandboxNow: organizations.sandboxNow })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    selectMember(db, organizationId, userId ?? ''),
  ])
  return [organization, userId === null ? undefined : member] as const
}
