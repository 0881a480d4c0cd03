import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { selectSetupSteps } from './queries.ts'

export type SetupStep = 'calendars' | 'eventTypes' | 'hours' | 'team' | 'payments'

/** The steps after the first event type that were taken. */
export async function findDoneSteps(
  env: Env,
  { organizationId, isTest }: Tenant,
): Promise<ReadonlySet<SetupStep>> {
  const [row] = await selectSetupSteps(openDb(env, 'decide'), organizationId, Number(isTest))
  const done = Object.entries(row!).filter(([, isDone]) => isDone === 1)
  return new Set(done.map(([step]) => step as SetupStep))
}
