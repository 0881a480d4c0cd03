import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openRooms } from '../../src/platform/http/room.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { actionTexts } from '../../src/platform/i18n/console/actions.ts'
import { rooms } from '../../src/routes.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  type Organization,
} from '../support/factories.ts'
import { exportOf } from '../support/moves.ts'
import { attempt, bookPaid, createPaid, pay, tellIntent, truthOf } from '../support/payments.ts'
import { controlProvider, deliverEvents, tellService } from '../support/provider-calls.ts'
import { bearer, keyOf, modeOf, needsOrganization, prepare } from '../support/recipes.ts'

const HOUR_MS = 3_600_000

/** What changes nothing of an organization that would be lost with it. */
const CHANGES_NOTHING: Readonly<Record<string, number>> = {
  // Refused before anything is changed, here as elsewhere in tests.
  addCalendar: 409,
  connectCaldav: 400,
  connectIcs: 409,
  createApiKey: 403,
  // All is so already.
  disconnectPaymentProvider: 200,
  resumeSubscription: 200,
  // Only asks or tells somebody outside.
  syncPayment: 200,
  testWebhookEndpoint: 200,
  getManageLink: 200,
  previewEmailText: 200,
}

const movesPath = (organization: Organization) => `/v1/operator/moves/${organization.id}`

async function logOf({ id }: Organization): Promise<unknown> {
  const log = env.DB.prepare(
    `SELECT id FROM activity WHERE organization_id = ?1 AND actor_type <> 'system'
     UNION SELECT id FROM bookings WHERE organization_id = ?1 AND log_entry IS NOT NULL ORDER BY id`,
  )
  return (await log.bind(id).all()).results
}

async function dueOf({ id }: Organization): Promise<unknown> {
  const due = env.DB.prepare(
    `SELECT (SELECT group_concat(handled_at IS NULL || coalesce(retry_at, '-')) FROM events WHERE organization_id = ?1) AS events,
      (SELECT group_concat(next_reminder_at) FROM bookings WHERE organization_id = ?1) AS reminders`,
  )
  return due.bind(id).first()
}

async function handled(bookingId: string): Promise<void> {
  await vi.waitFor(async () => {
    const open = env.DB.prepare(
      "SELECT count(*) AS n FROM events WHERE handled_at IS NULL AND data ->> 'id' = ?",
    )
    expect(await open.bind(bookingId).first('n')).toBe(0)
  }, 10_000)
}

describe('an organization that moves', () => {
  let routes: readonly Route[]
  beforeAll(async () => {
    routes = await openRooms(rooms)
  })

  it('refuses every change with 503', { timeout: 120_000 }, async () => {
    const changing = routes.filter((route) => route.method !== 'GET' && needsOrganization(route))
    const statuses: Record<string, number> = {}
    for (const route of changing) {
      const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
      const { path, body, headers } = await prepare(route, organization)
      expect((await callAsService('PUT', movesPath(organization))).status).toBe(200)
      const logged = await logOf(organization)
      const key = bearer(keyOf(organization, modeOf(route)))
      const { status } = await call(route.method, path, { body, headers: { ...key, ...headers } })
      if (status !== 503) statuses[route.operationId] = status
      expect(await logOf(organization)).toEqual(logged)
    }
    expect(statuses).toEqual(CHANGES_NOTHING)
  })

  it('can be read as before, and its export is of one moment', async () => {
    const organization = await createOrganization()
    await callAsService('PUT', movesPath(organization))
    const lines = await exportOf(organization.liveKey)
    expect(lines.at(-1)).toMatchObject({ type: 'end', changed_meanwhile: false })
    expect((await call('GET', '/v1/bookings', { key: organization.liveKey })).status).toBe(200)
  })

  it('sends nothing, not even what is due, and continues if the move is cancelled', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const { body: booked } = await book(id, dayFromNow(3) + 9 * HOUR_MS)
    await handled(booked.id)
    const began = await callAsService('PUT', movesPath(organization))
    const old = Date.now() - HOUR_MS
    await env.DB.batch([
      env.DB.prepare(
        'UPDATE events SET handled_at = NULL, claimed_until = NULL, created_at = ? WHERE organization_id = ?',
      ).bind(old, organization.id),
      env.DB.prepare('DELETE FROM booking_emails WHERE booking_id = ?').bind(booked.id),
      env.DB.prepare("UPDATE bookings SET reminder_minutes = '[1]', next_reminder_at = ? WHERE id = ?").bind(
        old,
        booked.id,
      ),
    ])
    const due = await dueOf(organization)
    await sweep(env, Date.now())
    await new Promise((done) => setTimeout(done, 500))
    expect(await dueOf(organization)).toEqual(due)

    expect((await callAsService('PUT', movesPath(organization))).body).toEqual(began.body)
    expect((await callAsService('DELETE', movesPath(organization))).status).toBe(204)
    expect((await callAsService('DELETE', movesPath(organization))).status).toBe(404)
    await sweep(env, Date.now())
    await handled(booked.id)
    expect(await dueOf(organization)).not.toEqual(due)
    const cancelled = await call('POST', `/v1/bookings/${booked.id}/cancel`, {
      key: organization.liveKey,
      body: {},
    })
    expect(cancelled.status).toBe(200)
  })

  it('refuses events of its payment provider, and accepts them once the move is cancelled', async () => {
    const { organization, accountId, eventTypeId } = await createPaid()
    const slot = dayFromNow(3) + 9 * HOUR_MS
    const paid = await bookPaid(eventTypeId, slot)
    await pay(paid.intentId)
    const due = await bookPaid(eventTypeId, slot + HOUR_MS)
    await callAsService('PUT', movesPath(organization))
    await attempt(due.intentId)
    await controlProvider('POST', `/intents/${paid.intentId}/dispute`, {})
    const account = { id: accountId, object: 'account', charges_enabled: false }
    const statuses = async () => [
      (await tellIntent(due.intentId, 'payment_intent.succeeded')).status,
      (await deliverEvents(paid.intentId)).at(-1)?.status,
      (await tellService('account.updated', account, { account: accountId })).status,
    ]
    expect(await statuses()).toEqual([503, 503, 503])
    expect(await truthOf(due.id)).toMatchObject({ booking: 'pending_payment', payment: 'pending' })
    expect(await truthOf(paid.id)).toMatchObject({ payment: 'succeeded' })
    await callAsService('DELETE', movesPath(organization))
    expect(await statuses()).toEqual([200, 200, 200])
    expect(await truthOf(due.id)).toMatchObject({ booking: 'confirmed', payment: 'succeeded' })
    expect(await truthOf(paid.id)).toMatchObject({ payment: 'disputed' })
  })

  it('has log entries saying that it was read-only, and that the move was cancelled', async () => {
    const organization = await createOrganization()
    await callAsService('PUT', movesPath(organization))
    await callAsService('DELETE', movesPath(organization))
    const { body } = await call('GET', '/v1/activity?resource_type=organization', {
      key: organization.liveKey,
    })
    const [stayed, moving] = body.data.map(({ action }: { action: string }) => action)
    expect(actionTexts.en).toHaveProperty([moving], expect.stringContaining('read-only'))
    expect(actionTexts.de).toHaveProperty([stayed], expect.stringContaining('zurückgenommen'))
  })

  it('does not affect other organizations', async () => {
    const [moving, other] = [await createOrganization(), await createOrganization()]
    await callAsService('PUT', movesPath(moving))
    const { id } = await createEventType(other.liveKey)
    const { status, body } = await book(id, dayFromNow(3) + 9 * HOUR_MS)
    expect(status).toBe(201)
    await handled(body.id)
  })
})
