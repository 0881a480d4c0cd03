import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { call } from './app.ts'
import { book, createEventType, createOrganization, type Organization, unique } from './factories.ts'
import { providerObject, tellService } from './provider-calls.ts'

/** Lets the organization be paid; answers with its account at the provider. */
export async function connectAccount(organization: Organization): Promise<string> {
  const accountId = unique('acct').replaceAll('-', '_')
  await env.DB.prepare(
    `INSERT OR IGNORE INTO payment_accounts (organization_id, account_id, charges_enabled, payouts_enabled, connected_at, created_at,
       updated_at) VALUES (?, ?, 1, 1, ?3, ?3, ?3)`,
  )
    .bind(organization.id, accountId, Date.now())
    .run()
  return accountId
}

/** An organization that is paid, and what it offers for money. */
export async function createPaid(input: Record<string, unknown> = {}, options: { tier?: string } = {}) {
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
  await setIntent(intentId, 'succeeded')
  const { status } = await tellIntent(intentId, 'payment_intent.succeeded')
  expect(status).toBe(200)
}

export async function setIntent(intentId: string, status: string): Promise<void> {
  const { amount } = await providerObject(intentId)
  const response = await fetch(`${env.STRIPE_API_BASE}/_objects/${intentId}`, {
    method: 'PUT',
    body: JSON.stringify({
      status,
      ...(status === 'succeeded' && { amount_received: amount, latest_charge: `ch_${intentId}` }),
    }),
  })
  await response.text()
}

export async function tellIntent(intentId: string, kind: string) {
  return tellService(kind, await providerObject(intentId))
}

export type Truth = {
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
