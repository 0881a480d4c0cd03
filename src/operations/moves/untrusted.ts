import { PUBLIC_LIMITS } from '../../platform/limits/public-limits.ts'
import type { Fields } from './check-line.ts'

/*
 * A file is made by people who may have changed it. What gives an organization rights here, or leads to somebody's money, is
 * believed only if the operator trusts the file.
 */

/**
 * Rows that stay out. For the first ones the provider knows whose they are; the others are unsealed and returned as they are,
 * so that a member's sealed password could be read by putting it there.
 */
const STAY_OUT = new Set([
  'payment_accounts',
  'subscriptions',
  'disputes',
  'idempotency_keys',
  // They would be sent at the cost of this deployment.
  'text_messages',
  'sandbox_outbox',
  'sandbox_files',
])

/** The password of a CalDAV account is sealed, but the server that it is sent to is not. */
const WITH_PASSWORD = new Set(['calendar_accounts', 'calendar_connections'])

/** What a row has instead of what the file says. */
const INSTEAD: Readonly<Record<string, (row: Fields) => Fields>> = {
  organizations: () => ({
    tier: 'free',
    ...Object.fromEntries(Object.keys(PUBLIC_LIMITS).map((name) => [name, null])),
    plan_limits: null,
    allowed_redirect_hosts: null,
  }),
  // Nothing is sent to it before it answers a challenge.
  webhook_endpoints: () => ({
    verification_status: 'pending',
    verified_at: null,
    verification_last_error: null,
  }),
  webhook_deliveries: ({ status }) => (status === 'pending' ? { status: 'failed', next_retry_at: null } : {}),
  // Without an intent the provider is asked nothing. A sandbox asks it nothing anyway.
  payments: ({ is_test: isTest }) => (isTest ? {} : { provider_account_id: null, intent_id: null }),
  refunds: () => ({ provider_refund_id: null }),
}

/** What is taken of a row of an untrusted file, and which fields had another value; null where the row stays out. */
export function withoutTrust(
  table: string,
  row: Fields,
): { readonly row: Fields; readonly changed: readonly string[] } | null {
  if (STAY_OUT.has(table)) return null
  if (WITH_PASSWORD.has(table) && row.provider === 'caldav') return null
  const instead = INSTEAD[table]?.(row) ?? {}
  const changed = Object.keys(instead).filter((name) => (row[name] ?? null) !== instead[name])
  return { row: changed.length === 0 ? row : { ...row, ...instead }, changed }
}
