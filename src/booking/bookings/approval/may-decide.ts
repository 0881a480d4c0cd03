import type { Env } from '../../../env.ts'
import { type TenantCaller, userIdOf } from '../../../platform/auth/caller.ts'
import { isPermitted } from '../../../platform/auth/policy.ts'
import { openDb } from '../../../platform/db/client.ts'
import { refuse } from '../../../platform/http/errors.ts'
import { selectHosted } from './queries.ts'

/**
 * Which of these bookings the caller can approve or decline: all of them with a role that changes bookings, otherwise those
 * that they host.
 */
export async function decidableOf(
  env: Env,
  caller: TenantCaller,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (isPermitted(caller, 'book')) return new Set(ids)
  const userId = userIdOf(caller)
  if (userId === null || ids.length === 0) return new Set()
  const hosted = await selectHosted(openDb(env, 'decide'), userId, ids)
  return new Set(hosted.map(({ id }) => id))
}

/** Throws if a member who only reads does not host the booking. */
export async function assertMayDecide(env: Env, caller: TenantCaller, id: string): Promise<void> {
  if ((await decidableOf(env, caller, [id])).has(id)) return
  throw refuse('viewer_hosts_not')
}

/** The same about all bookings of a series. */
export async function assertMayDecideAll(
  env: Env,
  caller: TenantCaller,
  bookings: readonly { readonly id: string }[],
): Promise<void> {
  const ids = bookings.map(({ id }) => id)
  if ((await decidableOf(env, caller, ids)).size === ids.length) return
  throw refuse('viewer_hosts_not')
}
