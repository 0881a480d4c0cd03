import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { operatorHealth } from '../../src/operations/health/operator-health.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'

const HOUR_MS = 3_600_000

describe('the health that an operator asks for', () => {
  it('is returned to the service key alone', async () => {
    const { liveKey } = await createOrganization()
    expect((await call('GET', '/v1/operator/health')).status).toBe(401)
    expect((await call('GET', '/v1/operator/health', { key: liveKey })).status).toBe(401)
    const { status, body } = await callAsService('GET', '/v1/operator/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      backlog: {
        outbox: expect.any(Number),
        letters: expect.any(Number),
        deliveries: expect.any(Number),
        calendar_syncs: expect.any(Number),
      },
      oldest_age_seconds: expect.any(Number),
      databases: [{ name: 'DB', size_bytes: expect.any(Number) }],
    })
    expect(body.databases[0].size_bytes).toBeGreaterThan(100_000)
  })

  it('counts what is due, and says since when', async () => {
    const { id } = await createOrganization()
    // Long ago, so that it is the oldest whatever else waits here.
    const long = Date.now() - 1_000 * HOUR_MS
    const before = await operatorHealth(env, Date.now() as RealMs)
    const eventId = unique('event')
    await env.DB.prepare(
      `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, revision, created_at)
       VALUES (?, ?, 0, 900000, 'calendar.restored', '{}', 1, ?)`,
    )
      .bind(eventId, id, long)
      .run()
    const after = await operatorHealth(env, Date.now() as RealMs)
    await env.DB.prepare('DELETE FROM events WHERE id = ?').bind(eventId).run()
    expect(after.backlog.outbox).toBeGreaterThan(0)
    expect(after.oldest_age_seconds).toBeGreaterThanOrEqual(1_000 * 3_600)
    expect(before.oldest_age_seconds).toBeLessThan(1_000 * 3_600)
  })

  it('counts what the sweep enqueued until it is done, and since when it is due', async () => {
    const { id } = await createOrganization()
    const long = Date.now() - 2_000 * HOUR_MS
    const [eventId, deliveryId] = [unique('event'), unique('delivery')]
    const before = await operatorHealth(env, Date.now() as RealMs)
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, revision, created_at)
         VALUES (?, ?, 0, 900001, 'calendar.restored', '{}', 1, ?)`,
      ).bind(eventId, id, long),
      env.DB.prepare(
        `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status,
           next_retry_at, created_at) VALUES (?1, ?2, 0, ?1, ?1, 'booking.created', '{}', 'pending', ?3, ?3)`,
      ).bind(deliveryId, id, long + HOUR_MS),
    ])
    const deaf = { sendBatch: async () => {} }
    await sweep({ ...env, EVENTS: deaf, WEBHOOKS: deaf } as unknown as Env, Date.now())
    const after = await operatorHealth(env, Date.now() as RealMs)
    await env.DB.prepare('DELETE FROM events WHERE id = ?').bind(eventId).run()
    const later = await operatorHealth(env, Date.now() as RealMs)
    await env.DB.prepare('DELETE FROM webhook_deliveries WHERE id = ?').bind(deliveryId).run()
    expect(after.backlog.outbox).toBeGreaterThan(before.backlog.outbox)
    expect(after.backlog.deliveries).toBeGreaterThan(before.backlog.deliveries)
    expect(after.oldest_age_seconds).toBeGreaterThanOrEqual(2_000 * 3_600)
    expect(later.oldest_age_seconds).toBeGreaterThanOrEqual(1_999 * 3_600)
    expect(later.oldest_age_seconds).toBeLessThan(2_000 * 3_600)
  })

  it('counts a booking with a reminder to send among the emails, and none in a sandbox with its own clock', async () => {
    const { liveKey, testKey } = await createOrganization()
    const input = { reminder_intervals: [60] }
    const [eventType, tried] = [await createEventType(liveKey, input), await createEventType(testKey, input)]
    const start = dayFromNow(3) + 8 * HOUR_MS
    const [{ body: booking }, { body: test }] = [await book(eventType.id, start), await book(tried.id, start)]
    await call('PUT', '/v1/test-data/clock', { key: testKey, body: { now: iso(start - 48 * HOUR_MS) } })
    const remindAt = (id: string, at: number) =>
      env.DB.prepare('UPDATE bookings SET next_reminder_at = ? WHERE id = ?').bind(at, id).run()
    await remindAt(test.id, Date.now() - 4_000 * HOUR_MS)
    const frozen = await operatorHealth(env, Date.now() as RealMs)
    await remindAt(booking.id, Date.now() - 3_000 * HOUR_MS)
    const after = await operatorHealth(env, Date.now() as RealMs)
    await remindAt(booking.id, start - HOUR_MS)
    expect(frozen.oldest_age_seconds).toBeLessThan(3_000 * 3_600)
    expect(after.backlog.letters).toBeGreaterThan(0)
    expect(after.oldest_age_seconds).toBeGreaterThanOrEqual(3_000 * 3_600)
    expect(after.oldest_age_seconds).toBeLessThan(4_000 * 3_600)
  })

  it('says when the last sweep ended', async () => {
    const began = Date.now()
    await sweep(env, began)
    const { last_sweep_at: at } = await operatorHealth(env, Date.now() as RealMs)
    expect(Date.parse(at!)).toBeGreaterThanOrEqual(began)
  })
})
