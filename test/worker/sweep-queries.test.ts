import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import type { Env } from '../../src/env.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { run } from '../support/run.ts'
import { serviceWith } from '../support/service-with.ts'
import { bindShards } from '../support/shards.ts'

const MINUTE_MS = 60_000
const LATER = Date.now() - 2 * MINUTE_MS

/** Ids in ascending order. */
const NUMBERED = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)`

/** Events and deliveries that were committed two minutes ago and are in no queue. */
async function backlogs(count: number): Promise<void> {
  await run(
    `${NUMBERED} INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at)
     SELECT printf('e%09d', i), 'o', 0, i, 'waitlist.expired', '{}', ?2 FROM n`,
    count,
    LATER,
  )
  await run(
    `${NUMBERED} INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status,
       next_retry_at, created_at) SELECT printf('d%09d', i), 'o', 0, 'w', printf('e%09d', i), 'booking.created', '{}', 'pending', ?2, ?2
     FROM n`,
    count,
    LATER,
  )
}

async function dropBacklogs(): Promise<void> {
  await run("DELETE FROM events WHERE organization_id = 'o'")
  await run("DELETE FROM webhook_deliveries WHERE organization_id = 'o'")
}

/** The service without consumers, and the ids that its queues took in messages of these types. */
function quiet(...types: readonly string[]) {
  const taken: string[] = []
  const sendBatch = async (batch: Iterable<{ body: any }>) => {
    for (const { body } of batch) {
      if (types.includes(body.type)) taken.push(body.eventId ?? body.deliveryId ?? body.bookingId)
    }
  }
  return {
    taken,
    env: { ...serviceWith({}).env, EVENTS: { sendBatch }, WEBHOOKS: { sendBatch } } as unknown as Env,
  }
}

/** That many bookings of one minute whose reminders are due at `dueAt`. */
async function dueReminders(count: number, dueAt: number): Promise<string[]> {
  const { liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey, { reminder_intervals: [60] })
  const { body: booking } = await book(id, dueAt + 60 * MINUTE_MS)
  const row = await env.DB.prepare('SELECT * FROM bookings WHERE id = ?').bind(booking.id).first<any>()
  const columns = Object.keys(row).filter((name) => name !== 'id')
  const ids = Array.from({ length: count - 1 }, () => looseId())
  await run(
    `INSERT INTO bookings (id, ${columns}) SELECT value, ${columns} FROM bookings, json_each(?1) WHERE bookings.id = ?2`,
    JSON.stringify(ids),
    booking.id,
  )
  return [booking.id, ...ids].toSorted()
}

it('makes few statements when it is idle, in each of its databases', async () => {
  const { env: own } = quiet()
  await sweep(own, Date.now())
  const one = countedEnv(own)
  await sweep(one.env, Date.now())
  expect(one.ran.length).toBe(4)
  await bindShards()
  const three = [env.DB, env.SECOND, env.THIRD].map((DB) => countedEnv({ ...own, DB } as Env))
  const [DB, DB_1, DB_2] = three.map((each) => each.env.DB)
  await sweep({ ...own, DB, DB_1, DB_2 } as Env, Date.now())
  expect(three.map(({ ran }) => ran.length)).toEqual([4, 4, 4])
  for (const name of ['DB_1', 'DB_2']) Reflect.deleteProperty(env, name)
})

it('stays within the queries of one invocation, and the next sweeps enqueue the rest once', async () => {
  const COUNT = 50_000
  await backlogs(COUNT)
  const { taken, env: own } = quiet('event', 'delivery')
  const queries: number[] = []
  for (let minute = 0; minute < 3; minute++) {
    const counted = countedEnv(own)
    await sweep(counted.env, LATER + 2 * MINUTE_MS, 10 * MINUTE_MS)
    queries.push(counted.ran.length)
  }
  expect(Math.max(...queries)).toBeLessThanOrEqual(1_000)
  expect(queries.at(-1)).toBe(4)
  expect([taken.length, new Set(taken).size]).toEqual([2 * COUNT, 2 * COUNT])
  await dropBacklogs()
}, 120_000)

it('enqueues the reminders of one minute once while the queue is busy with them', async () => {
  const dueAt = dayFromNow(3) + 10 * 60 * MINUTE_MS
  const ids = await dueReminders(450, dueAt)
  const { taken, env: own } = quiet('reminder')
  // The first of these ends after a page.
  await sweep(own, dueAt, 0)
  expect(taken.length).toBe(200)
  const counted = countedEnv(own)
  await sweep(counted.env, dueAt + MINUTE_MS)
  expect(taken.toSorted()).toEqual(ids)
  // That it ended, and how far it got.
  expect(counted.ran.reduce((sum, { written }) => sum + written, 0)).toBe(1)
  await sweep(own, dueAt + MINUTE_MS)
  expect(taken.length).toBe(450)
  await run('UPDATE bookings SET next_reminder_at = NULL')
})

it('enqueues reminders again that the queue refused', async () => {
  const dueAt = dayFromNow(4) + 10 * 60 * MINUTE_MS
  const ids = await dueReminders(1, dueAt)
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { taken, env: own } = quiet('reminder')
  const refusing = { sendBatch: () => Promise.reject(new Error('the queue is down')) }
  await sweep({ ...own, EVENTS: refusing } as unknown as Env, dueAt)
  log.mockRestore()
  expect(taken).toEqual([])
  await sweep(own, dueAt + 1_000)
  expect(taken).toEqual(ids)
  await run('UPDATE bookings SET next_reminder_at = NULL')
})
