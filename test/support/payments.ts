import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { homeOf } from '../../src/platform/db/shards.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from './app.ts'
import {
  book,
  createEventType,
  createOrganization,
  type Organization,
  type OrganizationOptions,
} from './factories.ts'
import {
  askProvider,
  controlProvider,
  deliverEvents,
  providerObject,
  setUpEndpoints,
  tellService,
} from './provider-calls.ts'

const CONTROLLER = {
  'controller[fees][payer]': 'account',
  'controller[losses][payments]': 'stripe',
  'controller[stripe_dashboard][type]': 'full',
}

/** Lets the organization be paid; answers with its account at the provider. */
export async function connectAccount(organization: Organization): Promise<string> {
  const { id: accountId } = await askProvider('POST', 'accounts', { country: 'DE', ...CONTROLLER })
  await controlProvider('POST', `/accounts/${accountId}/onboard`, {})
  await setUpEndpoints()
  await homeOf(env, organization.id)
    .DB.prepare(
      `INSERT INTO payment_accounts (organization_id, account_id, country, charges_enabled, payouts_enabled, connected_at,
       created_at, updated_at) VALUES (?, ?, 'DE', 1, 1, ?3, ?3, ?3)
       ON CONFLICT (organization_id) DO UPDATE SET account_id = excluded.account_id, charges_enabled = 1, payouts_enabled = 1,
         disconnected_at = NULL
       WHERE disconnected_at IS NOT NULL OR NOT charges_enabled`,
    )
    .bind(organization.id, accountId, Date.now())
    .run()
  return accountId
}

/** An organization that is paid, and what it offers for money. */
export async function createPaid(input: Record<string, unknown> = {}, options: OrganizationOptions = {}) {
  const organization = await createOrganization(options)
  const accountId = await connectAccount(organization)
  const eventType = await createEventType(organization.liveKey, { price_amount: 5_000, ...input })
  return { organization, accountId, key: organization.liveKey, eventTypeId: eventType.id as string }
}

/** A live booking that waits for its payment, and its intent. */
export async function bookPaid(eventTypeId: string, start: number, input: Record<string, unknown> = {}) {
  const { status, body } = await book(eventTypeId, start, input)
  expect([status, body.status]).toEqual([201, 'pending_payment'])
  const intentId: string = body.payment.client_secret.split('_secret_')[0]
  return { id: body.id as string, token: body.cancel_token as string, payment: body.payment, intentId, body }
}

/** The invitee pays: the provider has the money, and tells of it. */
export async function pay(intentId: string): Promise<void> {
  await attempt(intentId)
  await hearOf(intentId)
}

type Attempt = 'succeed' | 'decline' | 'process' | 'require_action'

/** The invitee pays, or tries to: nobody was told of it yet. */
export async function attempt(intentId: string, how: Attempt = 'succeed'): Promise<void> {
  await setUpEndpoints()
  await controlProvider('POST', `/intents/${intentId}/pay`, { how })
}

/** How a payment that is being processed ends, days later. */
export async function settleAttempt(intentId: string, how: 'succeed' | 'decline'): Promise<void> {
  await controlProvider('POST', `/intents/${intentId}/settle`, { how })
}

/** The provider tells all that ever happened to an intent, in its order. */
export async function hearOf(intentId: string): Promise<void> {
  for (const { status } of await deliverEvents(intentId)) expect(status).toBe(200)
}

/** Somebody cancels it in the dashboard. */
export async function cancelAtProvider(intentId: string): Promise<void> {
  const { of } = await providerObject(intentId)
  await askProvider('POST', `payment_intents/${intentId}/cancel`, {}, of)
}

/** An event about the intent as it is now, whatever it says. */
export async function tellIntent(intentId: string, kind: string) {
  const intent = await providerObject(intentId)
  return tellService(kind, intent, intent.of === null ? {} : { account: intent.of })
}

type Truth = {
  readonly booking: string
  readonly payment: string
  readonly holds: number
  readonly intent: string | null
  readonly refunded: number
}

/** What everybody says of one booking: its own record, its hold, its payment and the provider. */
export async function truthOf(bookingId: string): Promise<Truth> {
  const row = await env.DB.prepare(
    `SELECT b.status AS booking, b.payment ->> '$.status' AS told, p.status AS payment, p.intent_id AS intentId,
       p.refunded_amount AS refunded, p.reserved_amount AS reserved,
       (SELECT count(*) FROM holds WHERE holder_id = coalesce(b.session_id, b.id)) AS holds
     FROM bookings b JOIN payments p ON p.booking_id = b.id WHERE b.id = ?`,
  )
    .bind(bookingId)
    .first<any>()
  expect(row.told).toBe(row.payment)
  const intent = row.intentId?.startsWith('pi_test_') ? null : await intentOf(row.intentId)
  return { booking: row.booking, payment: row.payment, holds: row.holds, intent, refunded: row.refunded }
}

async function intentOf(intentId: string | null): Promise<string | null> {
  return intentId === null ? null : (await providerObject(intentId)).status
}

export function getBooking(key: string, id: string) {
  return call('GET', `/v1/bookings/${id}`, { key })
}

/** The sweep tries what is still to be paid back, again and again without its patience. */
export async function tryRefundUntil(paymentId: string, isSo: () => Promise<void>): Promise<void> {
  const hurry = env.DB.prepare(
    'UPDATE refunds SET next_attempt_at = 1 WHERE payment_id = ? AND next_attempt_at > 1',
  )
  await vi.waitFor(
    async () => {
      await hurry.bind(paymentId).run()
      await sweep(env, Date.now())
      await isSo()
    },
    { timeout: 20_000, interval: 100 },
  )
}
