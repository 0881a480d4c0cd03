import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { Refused } from '../../platform/http/errors.ts'
import type { UpdateEventTypeInput } from './input-schema.ts'
import { listConnectedProviders } from './queries.ts'

const SUITES = {
  calendar_a_meet: { provider: 'calendar_a', code: 'no_calendar_a_connection', name: 'Google' },
  calendar_b_meet: { provider: 'calendar_b', code: 'no_calendar_b_connection', name: 'Microsoft 365' },
} as const

/** Meetings of a calendar suite need a calendar there. If that is disconnected later, nothing changes here. */
export async function assertConferencing(
  db: Db,
  tenant: Tenant,
  { conferencing_provider: chosen }: UpdateEventTypeInput,
): Promise<void> {
  if (chosen !== 'calendar_a_meet' && chosen !== 'calendar_b_meet') return
  const { provider, code, name } = SUITES[chosen]
  const connected = (await listConnectedProviders(db, tenant)).filter((one) => one.provider === provider)
  if (connected.some(({ makesMeetings }) => makesMeetings)) return
  const message =
    connected.length === 0
      ? `${chosen} needs an active ${name} calendar connection.`
      : `${chosen} needs an account that makes meetings: ${name} makes none for a personal account, or for one without a licence for them. Connect a work or school account.`
  throw new Refused({ code, message })
}
