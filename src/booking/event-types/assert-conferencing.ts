import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { refuse } from '../../platform/http/errors.ts'
import type { UpdateEventTypeInput } from './input-schema.ts'
import { listConnectedProviders } from './queries.ts'

const SUITES = {
  calendar_a_meet: { provider: 'calendar_a', missing: 'needs_google', makesNone: 'google_makes_no_meetings' },
  calendar_b_meet: {
    provider: 'calendar_b',
    missing: 'needs_microsoft',
    makesNone: 'microsoft_makes_no_meetings',
  },
} as const

/** Meetings of a calendar suite need a calendar there. If that is disconnected later, nothing changes here. */
export async function assertConferencing(
  db: Db,
  tenant: Tenant,
  { conferencing_provider: chosen, places = [] }: UpdateEventTypeInput,
): Promise<void> {
  const suites = new Set([chosen, ...places.map(({ kind }) => kind)].filter(isSuite))
  if (suites.size === 0) return
  const providers = await listConnectedProviders(db, tenant)
  for (const suite of suites) {
    const { provider, missing, makesNone } = SUITES[suite]
    const connected = providers.filter((one) => one.provider === provider)
    if (connected.some(({ makesMeetings }) => makesMeetings)) continue
    throw refuse(connected.length === 0 ? missing : makesNone)
  }
}

function isSuite(kind: string | null | undefined): kind is keyof typeof SUITES {
  return kind != null && kind in SUITES
}
