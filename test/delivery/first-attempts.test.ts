import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { beginAttempt } from '../../src/delivery/webhooks/deliveries/attempt-delivery.ts'
import { FirstAttempts } from '../../src/delivery/webhooks/deliveries/first-attempts.ts'
import { firstDeliveryId } from '../../src/delivery/webhooks/deliveries/first-id.ts'
import { ServiceEvent } from '../../src/delivery/webhooks/feed/schema.ts'
import type { Env } from '../../src/env.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { rooms } from '../../src/routes.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { amount } from '../support/chance.ts'
import { countedEnv } from '../support/counted-env.ts'
import { databaseThrough } from '../support/database-through.ts'
import { createEventType, createOrganization, dayFromNow, unique } from '../support/factories.ts'
import type { Behaviour, Received } from '../support/receiver.ts'
import { serviceWith } from '../support/service-with.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
const MINUTE_MS = 60_000
/** More round trips than an event takes with three endpoints: it is read, claimed and ended, and two results are stored. */
const LIFETIMES = 7
/** In `npm test` each second one. */
const STEP = amount(2, 1)

const serve = createFetch(rooms)

async function createEndpoint(key: string, behaviour: Behaviour) {
  const url = `${inject('receiver')}/${unique('first')}`
  const body = JSON.stringify({ url, events: ['*'] })
  const headers = { Authorization: `Bearer ${key}` }
  const request = new Request('https://holdfast.test/v1/webhooks', { method: 'POST', headers, body })
  const answer = await serve(request, { ...env, ALLOW_PRIVATE_HOSTS: 'true' })
  const { id } = await answer.json<{ id: string }>()
  await (await fetch(url, { method: 'PUT', body: JSON.stringify(behaviour) })).text()
  const received = async () => {
    const all = (await (await fetch(url)).json()) as Received[]
    return all.filter(({ body }) => JSON.parse(body).type !== 'webhook.verification')
  }
  return { id, received }
}

type Endpoint = Awaited<ReturnType<typeof createEndpoint>>

/** A live organization whose event of a booking nobody has handled, and what its consumers have. */
async function scene(behaviours: readonly Behaviour[], settings: Record<string, unknown> = {}) {
  const { id: organizationId, liveKey } = await createOrganization()
  const { id: eventTypeId } = await createEventType(liveKey, { reminder_intervals: [] })
  const endpoints: Endpoint[] = []
  for (const behaviour of behaviours) endpoints.push(await createEndpoint(liveKey, behaviour))
  const told: { deliveryId: string; attempt: number }[] = []
  const WEBHOOKS = {
    sendBatch: async (batch: { body: any }[]) => told.push(...batch.map(({ body }) => body)),
  }
  const emails: unknown[] = []
  const EMAIL = { send: async (email: unknown) => void emails.push(email) }
  const service = serviceWith({ EMAIL, WEBHOOKS, ...settings })
  await service.book(eventTypeId, SLOT)
  const event = (await env.DB.prepare('SELECT id FROM events WHERE organization_id = ?')
    .bind(organizationId)
    .first<string>('id'))!
  return { organizationId, liveKey, eventTypeId, endpoints, told, emails, service, event }
}

type Scene = Awaited<ReturnType<typeof scene>>

/** What a process of the queue has room for, and what it began. */
function roomFor(patienceMs?: number) {
  const begun: Promise<void>[] = []
  const attempts = new FirstAttempts((_, own, work) => void begun.push(work(own)), patienceMs)
  return { attempts, isOver: () => Promise.allSettled(begun) }
}

async function handle({ event }: Scene, own: Env, now = Date.now(), patienceMs?: number) {
  const { attempts, isOver } = roomFor(patienceMs)
  const handled = await handleEvent(own, event, now as RealMs, undefined, attempts).catch(() => 'died')
  const ended = await isOver()
  return { handled, ended }
}

const all = async <Row = any>(sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results

const deliveriesOf = ({ event }: Scene) =>
  all('SELECT * FROM webhook_deliveries WHERE event_id = ? ORDER BY id', event)

/** Does what the queue and the sweep would do with what is left, until nothing is. */
async function finish({ service, event, ...of }: Scene, after: number) {
  await handle({ service, event, ...of }, service.env, Date.now() + after)
  for (let round = 0; round < 4; round++) {
    for (const { id, attempts, next_retry_at } of await deliveriesOf({ service, event, ...of })) {
      if (next_retry_at === null) continue
      const now = Math.max(Date.now(), next_retry_at) + MINUTE_MS
      const work = await beginAttempt(
        service.env,
        { type: 'delivery', deliveryId: id, attempt: attempts + 1 },
        now as RealMs,
      )
      await work?.()
    }
  }
}

/** What each endpoint got once, however the event was handled. */
async function expectSound(of: Scene, what: string) {
  const [event] = await all('SELECT handled_at FROM events WHERE id = ?', of.event)
  expect(event!.handled_at, what).not.toBeNull()
  const rows = await deliveriesOf(of)
  expect(rows.map((row) => row.endpoint_id).toSorted(), what).toEqual(
    of.endpoints.map(({ id }) => id).toSorted(),
  )
  expect(
    rows.map((row) => row.status),
    what,
  ).toEqual(rows.map(() => 'success'))
  for (const { received } of of.endpoints) {
    const got = await received()
    expect(
      got.some(({ status }) => status === 200),
      what,
    ).toBe(true)
    expect(new Set(got.map(({ headers, body }) => [headers['webhook-id'], body].join()))).toHaveLength(1)
    expect(ServiceEvent.parse(JSON.parse(got[0]!.body)).id, what).toBe(of.event)
  }
  expect(of.emails.length, what).toBeGreaterThan(0)
  const counts = await all('SELECT letters FROM letter_counts WHERE organization_id = ?', of.organizationId)
  expect(counts, what).toEqual([{ letters: 1 }])
  const days = await all('SELECT * FROM usage_days WHERE organization_id = ?', of.organizationId)
  const sum = (name: string) => days.reduce((total, day) => total + day[name], 0)
  expect([sum('deliveries'), sum('arrived'), sum('given_up')], what).toEqual([rows.length, rows.length, 0])
}

describe('the first attempt of a delivery', () => {
  it('writes four rows with its result, seven if the receiver is slow, and eight through the queue', async () => {
    const written = async (behaviour: Behaviour, patienceMs?: number, isQueued = false) => {
      const of = await scene([behaviour])
      // The first one of the day begins its count.
      await all(
        'INSERT INTO usage_days (organization_id, is_test, day) VALUES (?, 0, ?)',
        of.organizationId,
        Math.floor(Date.now() / 86_400_000),
      )
      const counted = countedEnv(of.service.env)
      if (isQueued) {
        await handleEvent(counted.env, of.event)
        await (await beginAttempt(counted.env, { type: 'delivery', ...of.told[0]! }, Date.now() as RealMs))!()
      } else {
        await handle(of, counted.env, Date.now(), patienceMs)
      }
      await expectSound(of, 'counted')
      expect(of.emails).toHaveLength(1)
      const about = counted.ran.filter(({ sql }) => /webhook_(deliveries|endpoints)\b/.test(sql))
      return about.reduce((sum, one) => sum + one.written, 0)
    }
    expect(await written({})).toBe(4)
    expect(await written({ delayMs: 100 }, 0)).toBe(7)
    expect(await written({}, undefined, true)).toBe(8)
  })

  it('is made for three endpoints at a time, and by the queue for the others', async () => {
    const of = await scene([{}, {}, {}, {}, {}])
    await handle(of, of.service.env)
    expect(await Promise.all(of.endpoints.map(async ({ received }) => (await received()).length))).toEqual([
      1, 1, 1, 0, 0,
    ])
    const rest = of.endpoints.slice(3).map(({ id }) => firstDeliveryId(of.event, id))
    expect(of.told.map(({ deliveryId }) => deliveryId)).toEqual(rest)
    await finish(of, 0)
    await expectSound(of, 'five')
    expect(of.emails).toHaveLength(1)
  })

  it('is made once if several consumers have the event at the same time', async () => {
    const of = await scene([{}, { delayMs: 50 }])
    await Promise.all([1, 2, 3].map(() => handle(of, of.service.env)))
    await handle(of, of.service.env, Date.now() + 61_000)
    await expectSound(of, 'three consumers')
    expect(of.emails).toHaveLength(1)
    for (const { received } of of.endpoints) expect(await received()).toHaveLength(1)
  })

  it('that fails is followed by the second one, as ever', async () => {
    const of = await scene([{ statuses: [500, 200] }])
    await handle(of, of.service.env)
    const [row] = await deliveriesOf(of)
    expect(row).toMatchObject({ status: 'pending', attempts: 1, response_status_code: 500 })
    expect(row.next_retry_at - Date.now()).toBeGreaterThan(3_000)
    expect(of.told).toEqual([{ type: 'delivery', deliveryId: row.id, attempt: 2 }])
    await finish(of, 0)
    await expectSound(of, 'a second attempt')
  })

  it('is answered before the emails are sent, so that a process that dies in between repeats none', async () => {
    const of = await scene([{ delayMs: 100 }])
    const arrived: number[] = []
    const send = async () => void arrived.push((await of.endpoints[0]!.received()).length)
    await handle(of, { ...of.service.env, EMAIL: { send } } as unknown as Env)
    expect(arrived).toEqual([1])
    expect(await deliveriesOf(of)).toMatchObject([{ status: 'success' }])
  })

  it('keeps neither emails nor the queue waiting if it takes longer than they have patience', async () => {
    const of = await scene([{ delayMs: 2_000 }])
    const { attempts, isOver } = roomFor(0)
    expect(await handleEvent(of.service.env, of.event, Date.now() as RealMs, undefined, attempts)).toBeNull()
    expect(of.emails).toHaveLength(1)
    const [row] = await deliveriesOf(of)
    expect(row).toMatchObject({ status: 'pending', attempts: 1, last_attempt_at: row.next_retry_at })
    await isOver()
    await expectSound(of, 'a slow receiver')
  })

  it('leaves nothing of a person who is erased while it runs', async () => {
    const of = await scene([{ delayMs: 50 }, { statuses: [500] }])
    const erased = async (ask: () => Promise<unknown>, queries: readonly string[]) => {
      const isEnd = queries.some((query) => query.startsWith('INSERT INTO webhook_deliveries (id'))
      // What an erasure does to an event that nobody has handled yet.
      if (isEnd) await all('UPDATE events SET handled_at = 1 WHERE id = ?', of.event)
      return ask()
    }
    const own = { ...of.service.env, DB: databaseThrough(erased as never) }
    await handle(of, own as Env)
    expect(await deliveriesOf(of)).toEqual([])
    expect(of.told.length).toBeLessThan(2)
  })
})

describe('an event whose process dies', () => {
  const BEHAVIOURS: readonly Behaviour[] = [{}, { statuses: [500, 200] }, { delayMs: 30 }]
  for (const isLast of [true, false]) {
    for (const patienceMs of [0, 1_000]) {
      const how = `the last round trip ${isLast ? 'carried out' : 'lost'}, ${patienceMs} ms for receivers`
      it(`reaches each endpoint, in one delivery to each: ${how}`, async () => {
        for (let lifetime = isLast ? 0 : STEP - 1; lifetime < LIFETIMES; lifetime += STEP) {
          const of = await scene(BEHAVIOURS)
          let left = lifetime
          const pass = async <T>(ask: () => Promise<T>): Promise<T> => {
            left -= 1
            if (left >= 0) return ask()
            if (left === -1 && isLast) await ask()
            throw new Error('This process is gone.')
          }
          const dying = { ...of.service.env, DB: databaseThrough(pass) }
          await handle(of, dying as Env, Date.now(), patienceMs)
          // Too early for another process, unless nobody has claimed it.
          await handle(of, of.service.env, Date.now() + 20_000, patienceMs)
          await finish(of, 2 * MINUTE_MS)
          await expectSound(of, `${how}, ${lifetime}`)
        }
      })
    }
  }

  it('reaches each endpoint after any answer of the database that was lost', async () => {
    for (let lost = 0; lost < LIFETIMES; lost += STEP) {
      const of = await scene(BEHAVIOURS)
      let left = lost
      const pass = async <T>(ask: () => Promise<T>): Promise<T> => {
        const answer = await ask()
        left -= 1
        if (left === -1) throw new Error('D1_ERROR: Network connection lost.')
        return answer
      }
      await handle(of, { ...of.service.env, DB: databaseThrough(pass) } as Env)
      await finish(of, 2 * MINUTE_MS)
      await expectSound(of, `lost ${lost}`)
      expect(of.emails, `lost ${lost}`).toHaveLength(1)
    }
  })

  it('is delivered once by the Worker before and by this one, whichever was first', async () => {
    const insertAsBefore = async (of: Scene, status: string) => {
      const due = status === 'pending' ? Date.now() : null
      for (const { id } of of.endpoints) {
        await all(
          `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status, attempts,
             next_retry_at, created_at) SELECT ?, organization_id, 0, ?, id, kind, '{}', ?, 0, ?, created_at FROM events WHERE id = ?
           ON CONFLICT DO NOTHING`,
          ...[looseId(), id, status, due, of.event],
        )
      }
    }
    for (const status of ['pending', 'success']) {
      const of = await scene([{}, {}, {}, {}])
      await insertAsBefore(of, status)
      const before = await deliveriesOf(of)
      await handle(of, of.service.env)
      expect(await deliveriesOf(of), status).toEqual(before)
      for (const { received } of of.endpoints) expect(await received(), status).toEqual([])
    }
    const of = await scene([{}, { delayMs: 50 }, {}, {}])
    await handle(of, of.service.env, Date.now(), 0)
    const made = await deliveriesOf(of)
    await insertAsBefore(of, 'pending')
    expect(await deliveriesOf(of)).toEqual(made)
  })
})
