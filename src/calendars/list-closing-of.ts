import type { Env } from '../env.ts'
import type { Tenant } from '../platform/auth/caller.ts'
import { openDb } from '../platform/db/client.ts'
import { selectClosingOf } from './queries.ts'

export type ClosingCalendar = { readonly id: string; readonly name: string; readonly isFeed: boolean }

/** The calendars of a member that close everybody's times. Feeds become the owner's when the member goes, others end. */
export async function listClosingOf(
  env: Env,
  tenant: Tenant,
  memberId: string,
): Promise<readonly ClosingCalendar[]> {
  return selectClosingOf(openDb(env, 'decide'), tenant, memberId)
}
