import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { type KeptAnswer, openAnswers } from '../questions/take-answers.ts'
import { findAnswersInTenant } from './queries.ts'

/** The invitee's answers, with the questions as they were then; none for another tenant's booking. */
export async function getAnswers(env: Env, tenant: Tenant, id: string): Promise<readonly KeptAnswer[]> {
  return openAnswers(env, await findAnswersInTenant(openDb(env, 'decide'), tenant, id))
}
