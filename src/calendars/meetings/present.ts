import { formatInstant } from '../../platform/http/instants.ts'
import type { AccountRow } from './accounts/queries.ts'
import type { selectSuites } from './queries.ts'
import type { ConferencingAccount, ConferencingProvider } from './schema.ts'

type SuiteRow = Awaited<ReturnType<typeof selectSuites>>[number]

export function presentAccount(row: AccountRow | null): ConferencingAccount {
  return present('video_a', row, row?.error ?? null)
}

/** The calendar that makes the meetings of a suite. Its remarks about events are not failures to make meetings. */
export function presentSuite(provider: ConferencingProvider, row: SuiteRow | null): ConferencingAccount {
  return present(provider, row, row && row.status !== 'active' ? row.syncError : null)
}

function present(
  provider: ConferencingProvider,
  row: Pick<AccountRow, 'accountEmail' | 'status' | 'connectedAt' | 'memberId'> | null,
  error: string | null,
): ConferencingAccount {
  const status = row?.status ?? null
  return {
    provider,
    // A Worker without members connected one for the whole organization.
    member_id: row?.memberId || null,
    connected: status === 'active' || status === 'error',
    account_email: row?.accountEmail ?? null,
    status,
    error,
    connected_at: row ? formatInstant(row.connectedAt) : null,
  }
}
