import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { sweep } from '../../../src/worker/jobs/sweep.ts'
import { type Answered, call } from '../app.ts'
import { amount, type chance } from '../chance.ts'
import { attempt, hearOf } from '../payments.ts'
import { controlProvider, deliverEvents } from '../provider-calls.ts'
import { type Row, rows, type World } from './world.ts'

/** What is drawn more often is named more often. */
const OPERATIONS = [
  ...['pay', 'pay', 'pay', 'pay', 'pay in silence', 'pay refused', 'pay late', 'pay late'],
  ...['let lapse', 'let lapse', 'let lapse', 'refund', 'tell again', 'sweep'],
]

const DONE: Answered = { status: 200, headers: new Headers(), body: null }

/** What payers, their banks and the clock do; null where nobody has anything to pay yet. */
export function moneyOperations({ organization, key }: World, { below, pick }: ReturnType<typeof chance>) {
  return async (): Promise<[string, Answered] | null> => {
    const payments = await paymentsOf(organization.id)
    if (payments.length === 0) return null
    const open = payments.filter(({ status }) => status === 'pending' || status === 'failed')
    const { id, amount: price, intent_id: intentId } = pick(open.length > 0 && below(4) > 0 ? open : payments)
    const what = pick(OPERATIONS)
    if (what === 'refund') {
      const body = { amount: pick([100, 1_000, price]) }
      return [what, await call('POST', `/v1/payments/${id}/refund`, { key, body })]
    }
    if (what === 'sweep') await sweep(env, Date.now())
    if (what === 'let lapse' || what === 'pay late') await lapse(id)
    // What was given up takes no money any more.
    if (what.startsWith('pay'))
      await attempt(intentId, what === 'pay refused' ? 'decline' : 'succeed').catch(() => {})
    const isHeard = what !== 'sweep' && what !== 'pay in silence'
    const answers = isHeard ? await deliverEvents(intentId) : []
    return [what, answers.find(({ status }) => status !== 200) ?? DONE]
  }
}

/** Those that the provider knows of. */
function paymentsOf(organizationId: string): Promise<Row[]> {
  return rows('SELECT * FROM payments WHERE organization_id = ? AND intent_id IS NOT NULL', organizationId)
}

/** Its deadline is now, and nobody has noticed. */
async function lapse(paymentId: string): Promise<void> {
  const now = Date.now()
  const isOpen = "status IN ('pending', 'failed', 'held')"
  await env.DB.batch(
    ['slot_holds', 'payments'].map((table) =>
      env.DB.prepare(`UPDATE ${table} SET expires_at = ?2 WHERE id = ?1 AND ${isOpen}`).bind(paymentId, now),
    ),
  )
}

/** The provider tells all that it knows, and all that is left to do is done, sooner than it would be. */
export async function settleMoney({ organization: { id } }: World): Promise<void> {
  const { intents } = await controlProvider('GET', '')
  const paid = new Set(intents.filter(({ status }: Row) => status === 'succeeded').map((one: Row) => one.id))
  const unheard = (await paymentsOf(id)).filter(({ status }) => /pending|failed|cancelled/.test(status))
  for (const { intent_id } of unheard) if (paid.has(intent_id)) await hearOf(intent_id)
  const open =
    "organization_id = ?1 AND next_attempt_at IS NOT NULL AND status IN ('requested', 'pending', 'cancelled')"
  await vi.waitFor(
    async () => {
      for (const table of ['refunds', 'payments']) {
        await rows(`UPDATE ${table} SET next_attempt_at = 1 WHERE ${open}`, id)
      }
      await sweep(env, Date.now())
      const [left] = await rows(
        `SELECT (SELECT count(*) FROM refunds WHERE organization_id = ?1 AND status = 'requested') AS refunds,
           (SELECT count(*) FROM payments WHERE ${open}) AS unasked,
           (SELECT count(*) FROM payments WHERE organization_id = ?1 AND status IN ('pending', 'failed')
             AND expires_at <= ?2) AS overdue`,
        id,
        Date.now(),
      )
      expect(left).toEqual({ refunds: 0, unasked: 0, overdue: 0 })
    },
    { timeout: 120_000, interval: 100 },
  )
}

const ENDS = ['paid, booked', 'paid, cancelled', 'unpaid, cancelled', 'unpaid, pending_payment']

/**
 * Nothing is paid without a booking or a refund, nothing goes back twice, and what nobody can have any more nobody can pay
 * for: by what the provider has, and not only by what we believe.
 */
export async function auditMoney({ organization }: World): Promise<void> {
  const world = await controlProvider('GET', '')
  const ours = await rows(
    `SELECT p.id, p.status, p.intent_id, p.amount, p.refunded_amount, p.reserved_amount, b.status AS booking,
       b.payment ->> '$.status' AS told,
       (SELECT count(*) FROM events e WHERE e.kind = 'booking.confirmed' AND e.data ->> 'id' = b.id) AS confirmed
     FROM payments p JOIN bookings b ON b.id = p.booking_id WHERE p.organization_id = ?`,
    organization.id,
  )
  const theirs: Row[] = world.intents.filter((one: Row) => one.metadata.organization_id === organization.id)
  const known = new Set(ours.map(({ intent_id }) => intent_id))
  expect(theirs.filter(({ id, status }) => !known.has(id) && status !== 'canceled')).toEqual([])
  const ends = new Set<string>()
  for (const row of ours) {
    const intent = theirs.find(({ id }) => id === row.intent_id)
    const refunds: Row[] = world.refunds.filter((one: Row) => one.payment_intent === row.intent_id)
    const back = refunds.reduce((sum, one) => sum + one.amount, 0)
    const about = JSON.stringify({ ...row, intent: intent?.status, refunds })
    const isBooked = row.booking === 'confirmed' || row.booking === 'rescheduled'
    const end = `${intent?.status === 'succeeded' ? 'paid' : 'unpaid'}, ${isBooked ? 'booked' : row.booking}`
    ends.add(end)
    expect(ENDS, about).toContain(end)
    expect([row.told, row.reserved_amount, row.refunded_amount], about).toEqual([row.status, 0, back])
    expect(back, about).toBeLessThanOrEqual(end.startsWith('paid') ? row.amount : 0)
    if (end === 'paid, booked') expect(row.confirmed, about).toBe(1)
    if (end === 'paid, cancelled') expect(back, about).toBe(row.amount)
    if (end === 'unpaid, cancelled') expect(intent?.status ?? 'canceled', about).toBe('canceled')
  }
  // Else it proves little.
  expect(ends.size).toBeGreaterThanOrEqual(amount(1, 3))
}
