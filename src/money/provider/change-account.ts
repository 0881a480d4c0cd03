import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import type { Change } from '../../platform/http/run-change.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { ConnectedAccount } from '../stripe/accounts.ts'
import { type AccountRow, updateAccountAsRead } from './queries.ts'

type Columns = Omit<AccountRow, 'organizationId' | 'createdAt' | 'updatedAt'>

const TOLD = {
  accountId: 'account_id',
  country: 'country',
  chargesEnabled: 'charges_enabled',
  payoutsEnabled: 'payouts_enabled',
  connectedAt: 'connected_at',
  disconnectedAt: 'disconnected_at',
} as const

/** Whether its owner is done with the provider's questions, as far as there are any now. */
export function isSetUp({ isSubmitted, chargesEnabled }: ConnectedAccount): boolean {
  return isSubmitted || chargesEnabled
}

/** What the provider says of an account that is connected; null when it may be reached no longer. */
export function columnsOf(row: AccountRow, account: ConnectedAccount | null, now: RealMs): Partial<Columns> {
  if (!account)
    return { chargesEnabled: false, payoutsEnabled: false, disconnectedAt: row.disconnectedAt ?? now }
  const { chargesEnabled, payoutsEnabled } = account
  return {
    country: account.country ?? row.country,
    chargesEnabled,
    payoutsEnabled,
    connectedAt: isSetUp(account) ? (row.connectedAt ?? now) : null,
  }
}

/** Writes down what is new about an account that nobody changed since it was read. */
export function changeAccount(
  db: Db,
  row: AccountRow,
  wanted: Partial<Columns>,
  origin: Origin,
  action: `payment_account.${string}`,
): Change<AccountRow> {
  const names = (Object.keys(wanted) as (keyof Columns)[]).filter((name) => wanted[name] !== row[name])
  if (names.length === 0) return { body: row, statements: [] }
  const changes = Object.fromEntries(names.map((name) => [name, wanted[name]]))
  const after = { ...row, ...changes, updatedAt: laterThan(row.updatedAt, Date.now()) }
  const statements = [
    ...updateAccountAsRead(db, row, { ...changes, updatedAt: after.updatedAt }),
    recordActivity(db, { organizationId: row.organizationId, isTest: false }, origin, {
      action,
      resourceType: 'payment_account',
      resourceId: row.organizationId,
      changes: Object.fromEntries(names.map((name) => [TOLD[name], [row[name], wanted[name]]])),
    }),
  ]
  return { body: after, statements }
}
