import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { AccountRow } from './queries.ts'
import type { ProviderConnection } from './schema.ts'
import { simulatedAccountId } from './simulated-account.ts'

const NOT_CONNECTED: ProviderConnection = {
  connected: false,
  payment_provider_account_id: null,
  connected_at: null,
  charges_enabled: false,
  payouts_enabled: false,
}

export function presentConnection(row: AccountRow | null): ProviderConnection {
  if (!row || row.disconnectedAt !== null) return NOT_CONNECTED
  return {
    connected: row.connectedAt !== null,
    payment_provider_account_id: row.accountId,
    connected_at: formatNullable(row.connectedAt),
    charges_enabled: row.chargesEnabled,
    payouts_enabled: row.payoutsEnabled,
  }
}

/** A sandbox is connected from the beginning, to a provider that is only simulated. */
export function presentSimulated(organization: { readonly id: string; readonly createdAt: number }) {
  return {
    connected: true,
    payment_provider_account_id: simulatedAccountId(organization.id),
    connected_at: formatInstant(organization.createdAt),
    charges_enabled: true,
    payouts_enabled: true,
  } satisfies ProviderConnection
}
