import type { Ask } from '../support/storm/sound.ts'
import type { Bank } from './bank.ts'
import type { Caller, Json } from './caller.ts'
import type { Ledger, Paid } from './ledger.ts'
import { askedOf } from './payment-operations.ts'

/** Takes paid bookings out of those by email, and compares each with what was acknowledged. */
export function comparePaid(byEmail: Map<string, Json[]>, ledger: Ledger): void {
  for (const paid of ledger.paid) {
    const [row, ...others] = byEmail.get(paid.email) ?? []
    byEmail.delete(paid.email)
    if (others.length > 0) ledger.find('paid for twice', paid, row, others)
    if (!row && paid.id !== null) ledger.find('an acknowledged paid booking is gone', paid)
    if (row && !isAsAcknowledged(row, paid))
      ledger.find('a paid booking is not as it was acknowledged', paid, row)
    if (row && paid.isRefused) ledger.find('waits for a payment, though it was refused', paid, row)
  }
}

function isAsAcknowledged(row: Json, { id, organizationId, eventTypeId, start }: Paid): boolean {
  const isTheirs = row.organization_id === organizationId && row.event_type_id === eventTypeId
  return isTheirs && (id === null || row.id === id) && row.start_time === Date.parse(start)
}

/** The provider brings everything that it ever posted, as it does for days. */
export async function bringNotices(caller: Caller, bank: Bank, ledger: Ledger): Promise<void> {
  for (const notice of await bank.noticesOf()) {
    const { status } = await caller.persist(askedOf(notice))
    if (status !== 200) ledger.find('a notice of the provider is refused', status, notice.body)
  }
}

const PAYMENTS = `SELECT p.id, p.status, p.intent_id, p.amount, p.refunded_amount, p.reserved_amount, b.status AS booking,
    b.payment ->> '$.status' AS shown, (SELECT count(*) FROM events e WHERE e.kind = 'booking.confirmed' AND e.data ->> 'id' = b.id) AS confirmed,
    (SELECT count(*) FROM holds h WHERE h.holder_id = b.id) AS holds
  FROM payments p JOIN bookings b ON b.id = p.booking_id`

/**
 * When nothing is due any more, each booking is paid for and confirmed once, or cancelled and paid back once, by what the provider
 * has and not only by what is stored here.
 */
export async function auditMoney(ask: Ask, bank: Pick<Bank, 'all'>, ledger: Ledger): Promise<number> {
  const { intents, refunds } = await bank.all()
  const rows = await ask(PAYMENTS)
  const known = new Set(rows.map(({ intent_id }) => intent_id))
  for (const intent of intents) {
    if (!known.has(intent.id) && intent.status !== 'canceled') ledger.find('an intent of no payment', intent)
  }
  for (const row of rows) {
    const intent = intents.find(({ id }) => id === row.intent_id)
    const back = refunds
      .filter(({ payment_intent, status }) => payment_intent === row.intent_id && status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0)
    const wrong = wrongOf(row, intent?.status === 'succeeded', intent?.status ?? 'canceled', back)
    if (wrong) ledger.find(wrong, row, intent, back)
  }
  return rows.length
}

function wrongOf(row: Json, isPaid: boolean, intent: string, back: number): string | null {
  const isBooked = row.booking === 'confirmed' || row.booking === 'rescheduled'
  if (!isBooked && row.booking !== 'cancelled') return 'a payment is never decided'
  if (isBooked !== row.holds > 0) return 'a paid booking without its time, or time without a booking'
  if (isBooked && !isPaid) return 'booked, and not paid for'
  if (row.confirmed > 1 || (isBooked && row.confirmed === 0)) return 'confirmed twice or never'
  if (isPaid && !isBooked && back !== row.amount) return 'paid for, and neither booked nor paid back once'
  if (back > (isPaid ? row.amount : 0)) return 'paid back too much'
  if (!isPaid && intent !== 'canceled') return 'not booked, and still to be paid for'
  const isTold = row.shown === row.status && row.reserved_amount === 0 && row.refunded_amount === back
  return isTold ? null : 'another amount than the provider has'
}
