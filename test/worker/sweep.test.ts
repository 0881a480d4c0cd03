import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { Env } from '../../src/env.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { consume } from '../../src/worker/jobs/consume.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  book,
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  unique,
} from '../support/factories.ts'
import { run } from '../support/run.ts'
import { serviceWith } from '../support/service-with.ts'

const DAY_MS = 86_400_000
const MANY = 450
const SLOT = dayFromNow(3) + 10 * 3_600_000

async function rowsOf(table: string, organizationId: string): Promise<any[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
    .bind(organizationId)
    .all()
  return results
}

/** Events that were committed two minutes ago and that nobody told the queue of. */
async function untoldEvents(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => looseId())
  await run(
    `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at)
     SELECT value, ?, 0, key, 'waitlist.expired', '{}', ? FROM json_each(?)`,
    looseId(),
    Date.now() - 120_000,
    JSON.stringify(ids),
  )
  return ids
}

async function waitingLetters(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => looseId())
  await run(
    `INSERT INTO emails (id, organization_id, kind, recipient, status, next_attempt_at, created_at)
     SELECT value, ?, 'ready', 'ada@example.com', 'pending', ?2, ?2 FROM json_each(?3)`,
    looseId(),
    Date.now() - 120_000,
    JSON.stringify(ids),
  )
  return ids
}

async function overdueDeliveries(count: number): Promise<string> {
  const organizationId = looseId()
  await run(
    `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status,
       next_retry_at, created_at)
     SELECT value, ?1, 0, ?1, value, 'booking.created', '{}', 'pending', ?2, ?2 FROM json_each(?3)`,
    organizationId,
    Date.now() - 120_000,
    JSON.stringify(Array.from({ length: count }, () => looseId())),
  )
  return organizationId
}

/** A queue of deliveries whose messages stay where a test can see them. */
function quietWebhooks() {
  const told: any[] = []
  const sendBatch = async (batch: Iterable<{ body: unknown }>) => {
    for (const { body } of batch) told.push(body)
  }
  return { told, env: { ...serviceWith({}).env, WEBHOOKS: { sendBatch } } as unknown as Env }
}

const toldOf = (messages: readonly any[]) => messages.map(({ eventId, emailId }) => eventId ?? emailId)

describe('a sweep', () => {
  it('paginates until everything is enqueued, and asks once when there is nothing to do', async () => {
    const quiet = serviceWith({})
    await sweep(quiet.env, Date.now())
    const ids = [...(await untoldEvents(MANY)), ...(await waitingLetters(MANY))]
    quiet.messages.length = 0
    await sweep(quiet.env, Date.now())
    expect(toldOf(quiet.messages).toSorted()).toEqual(ids.toSorted())
    await run("DELETE FROM emails WHERE status = 'pending'")
    const { trips, env: counted } = countedEnv(quiet.env)
    await sweep(counted, Date.now())
    // The second one writes down that the sweep ended.
    expect(trips.count).toBe(2)
  })

  it('ends with its page when its time is over, and goes on where it ended', async () => {
    const quiet = serviceWith({})
    const ids = await untoldEvents(MANY)
    const told: string[][] = []
    for (let at = 0; at < 3; at++) {
      quiet.messages.length = 0
      await sweep(quiet.env, Date.now(), 0)
      told.push(toldOf(quiet.messages))
    }
    expect(told.map((each) => each.length)).toEqual([200, 200, 50])
    expect(told.flat().toSorted()).toEqual(ids.toSorted())
  })

  it('lets no job wait for another', async () => {
    await untoldEvents(1)
    await overdueDeliveries(MANY)
    const toldDeliveries: unknown[] = []
    let letGo = () => {}
    const allTold = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const queues = {
      EVENTS: { sendBatch: () => allTold },
      WEBHOOKS: {
        sendBatch: async (batch: Iterable<unknown>) => {
          toldDeliveries.push(...batch)
          if (toldDeliveries.length >= MANY) letGo()
        },
      },
    }
    await sweep({ ...env, ...queues } as unknown as Env, Date.now())
    expect(toldDeliveries.length).toBe(MANY)
    await run("DELETE FROM webhook_deliveries WHERE status = 'pending'")
  })

  it('enqueues an event that cannot be handled ever less often', async () => {
    const quiet = serviceWith({})
    const [id] = await untoldEvents(1)
    const toldAt = async (instant: number) => {
      quiet.messages.length = 0
      await sweep(quiet.env, instant)
      return toldOf(quiet.messages).includes(id)
    }
    const start = Date.now()
    expect(await toldAt(start + 3_600_000)).toBe(true)
    expect(await toldAt(start + 3_600_000 + 600_000)).toBe(false)
    expect(await toldAt(start + 2 * 3_600_000)).toBe(true)
  })

  it('enqueues a delivery that the queue has not reached ever less often', async () => {
    const organizationId = await overdueDeliveries(1)
    const [{ next_retry_at: start }] = (await rowsOf('webhook_deliveries', organizationId)) as [any]
    const minutes: number[] = []
    const { told, env: quiet } = quietWebhooks()
    for (let minute = 2; minute <= 130; minute++) {
      await sweep(quiet, start + minute * 60_000)
      if (told.splice(0).length > 0) minutes.push(minute)
    }
    await run("DELETE FROM webhook_deliveries WHERE status = 'pending'")
    // At most an hour apart.
    expect(minutes).toEqual([2, 4, 8, 16, 32, 64, 124])
  })

  it('enqueues a reminder that the queue has not reached ever less often, and a rescheduled one at once', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { reminder_intervals: [60] })
    const { body: booking } = await book(id, SLOT)
    const quiet = serviceWith({})
    const isTold = async (instant: number) => {
      await sweep(quiet.env, instant)
      return quiet.messages.splice(0).some((one) => one.type === 'reminder' && one.bookingId === booking.id)
    }
    const minutes: number[] = []
    const start = SLOT - 3_600_000
    for (let minute = 0; minute <= 33; minute++) {
      if (await isTold(start + minute * 60_000)) minutes.push(minute)
    }
    expect(minutes).toEqual([0, 2, 4, 8, 16, 32])
    const moved = { new_start_time: new Date(SLOT + 3_600_000).toISOString() }
    await call('POST', `/v1/bookings/${booking.id}/reschedule`, { key: liveKey, body: moved })
    expect(await isTold(SLOT)).toBe(true)
    await run('UPDATE bookings SET next_reminder_at = NULL WHERE id = ?', booking.id)
  })

  it('enqueues in the next minute what a queue did not accept', async () => {
    await overdueDeliveries(1)
    const [eventId] = await untoldEvents(1)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const refuse = { sendBatch: () => Promise.reject(new Error('the queue is down')) }
    await sweep({ ...env, EVENTS: refuse, WEBHOOKS: refuse } as unknown as Env, Date.now())
    log.mockRestore()
    const quiet = serviceWith({})
    const { told, env: webhooks } = quietWebhooks()
    await sweep({ ...webhooks, EVENTS: quiet.env.EVENTS } as Env, Date.now() + 1_000)
    await run("DELETE FROM webhook_deliveries WHERE status = 'pending'")
    expect(toldOf(quiet.messages)).toContain(eventId)
    expect(told).toHaveLength(1)
  })

  it('finds everything by indexes, so that history costs nothing', async () => {
    const asked: [string, unknown[]][] = []
    const note = (statement: D1PreparedStatement, query: string): object =>
      new Proxy(statement, {
        get: (target, name) =>
          name === 'bind'
            ? (...values: unknown[]) => {
                asked.push([query, values])
                return target.bind(...values)
              }
            : Reflect.get(target, name).bind?.(target),
      })
    const session = env.DB.withSession('first-primary')
    /** Where the sweep asked what is due. */
    const withEverythingDue = (answer: D1Result<Record<string, unknown>>) => ({
      ...answer,
      results: answer.results.map((row) =>
        'job0' in row ? Object.fromEntries(Object.keys(row).map((name) => [name, 1])) : row,
      ),
    })
    const DB = {
      withSession: () => ({
        prepare: (query: string) => note(session.prepare(query), query),
        batch: async (statements: D1PreparedStatement[]) => {
          const answers = await session.batch<Record<string, unknown>>(statements)
          return answers.map(withEverythingDue)
        },
      }),
    }
    await sweep({ ...serviceWith({}).env, DB } as unknown as Env, Date.now())
    expect(asked.length).toBeGreaterThan(45)
    for (const [query, values] of asked) {
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...values)
        .all<{ detail: string }>()
      // What was freed is gone as soon as it was offered.
      const scans = results.filter(({ detail }) =>
        /^SCAN (?!freed_times|owing|old|json_each|CONSTANT ROW|.subquery)/.test(detail),
      )
      expect([query, scans]).toEqual([query, []])
    }
  })
})

it('ends the wait of others where that of one cannot be ended, and logs that', async () => {
  const { id: organizationId, liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey, { waitlist_enabled: true })
  expect((await book(id, SLOT)).status).toBe(201)
  for (const name of ['ada', 'grace']) {
    const body = { ...bookingInput(id, SLOT), invitee_email: `${unique(name)}@example.com` }
    expect((await call('POST', '/v1/waitlist', { body })).status).toBe(201)
  }
  await run('UPDATE waitlist_entries SET expires_at = place WHERE organization_id = ?', organizationId)
  const line = async () => {
    const rows = await rowsOf('waitlist_entries', organizationId)
    return rows.toSorted((one, other) => one.place - other.place)
  }
  const [first] = await line()
  await run(
    `CREATE TRIGGER broken BEFORE UPDATE ON waitlist_entries WHEN NEW.id = '${first.id}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  )
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  await sweep(serviceWith({}).env, Date.now())
  const lines = log.mock.calls.map(([text]) => JSON.parse(text))
  log.mockRestore()
  await run('DROP TRIGGER broken')
  expect((await line()).map(({ status }) => status)).toEqual(['waiting', 'expired'])
  expect(lines).toEqual([{ sweep: 'waitlist', cause: expect.stringContaining('broken') }])
})

it('says which message failed, and why', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [eventId] = await untoldEvents(1)
  const message = { body: { type: 'event', eventId }, attempts: 3, ack: vi.fn(), retry: vi.fn() }
  const DB = { withSession: () => ({ prepare: () => lost(), batch: () => lost() }) }
  const lost = () => {
    throw new Error('D1 is away')
  }
  const broken = { ...serviceWith({}).env, DB } as unknown as Env
  await consume({ queue: 'holdfast-events', messages: [message] } as any, broken, { waitUntil: () => {} })
  const [line] = log.mock.calls.map(([text]) => JSON.parse(text))
  log.mockRestore()
  const why = expect.stringContaining('D1 is away')
  expect(line).toEqual({ queue: 'event', attempts: 3, message: { type: 'event', eventId }, cause: why })
})

it('lays aside a message of a kind that it does not know, and handles those that came with it', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [eventId] = await untoldEvents(1)
  const taken = async (queue: string) => {
    const bodies = [
      { type: 'news', newsId: 'one' },
      { type: 'event', eventId },
    ]
    const messages = bodies.map((body) => ({ body, attempts: 1, ack: vi.fn(), retry: vi.fn() }))
    await consume({ queue, messages } as any, serviceWith({}).env, { waitUntil: () => {} })
    return messages.map(({ ack, retry }) => [ack.mock.calls, retry.mock.calls])
  }
  const done = [[[]], []]
  expect(await taken('holdfast-events')).toEqual([[[], [[{ delaySeconds: 3_600 }]]], done])
  expect(await taken('holdfast-events-dead')).toEqual([done, done])
  const lines = log.mock.calls.map(([text]) => JSON.parse(text))
  log.mockRestore()
  const message = { type: 'news', newsId: 'one' }
  expect(lines).toEqual([
    { queue: 'unknown', message },
    { queue: 'dead', message },
    { queue: 'dead', message: { type: 'event', eventId } },
  ])
})

describe('the dead letters of the events queue', () => {
  const dead = (body: unknown) => {
    const message = { body, attempts: 1, ack: vi.fn(), retry: vi.fn() }
    const batch = { queue: 'holdfast-events-dead', messages: [message] }
    return { message, consumed: consume(batch as any, env, { waitUntil: () => {} }) }
  }

  it('are enqueued again by the next sweep, and logged as errors', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const [id] = await untoldEvents(1)
    await sweep(serviceWith({}).env, Date.now() + 30 * DAY_MS)
    const { message, consumed } = dead({ type: 'event', eventId: id })
    await consumed
    expect([message.ack, message.retry].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
    expect(JSON.stringify(log.mock.calls)).toContain(id)
    log.mockRestore()
    const quiet = serviceWith({})
    await sweep(quiet.env, Date.now())
    expect(toldOf(quiet.messages)).toContain(id)
  })

  it('of an email leave its due time to the email', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const [id] = await waitingLetters(1)
    const { message, consumed } = dead({ type: 'email', emailId: id })
    await consumed
    log.mockRestore()
    expect(message.ack).toHaveBeenCalledOnce()
    const quiet = serviceWith({})
    await sweep(quiet.env, Date.now())
    expect(toldOf(quiet.messages)).toContain(id)
  })
})

describe('what is not kept for ever', () => {
  it('goes after ninety days, by when it happened, and nothing else does', async () => {
    const { id: organizationId, liveKey, testKey } = await createOrganization()
    const live = await createEventType(liveKey, { reminder_intervals: [] })
    const { body: booking } = await book(live.id, dayFromNow(3))
    const unused = await createEventType(liveKey)
    await call('DELETE', `/v1/event-types/${unused.id}`, { key: liveKey })
    await call('DELETE', `/v1/event-types/${live.id}`, { key: liveKey })
    const sandboxed = await createEventType(testKey, { reminder_intervals: [] })
    await book(sandboxed.id, dayFromNow(3))
    await vi.waitFor(async () => expect(await rowsOf('sandbox_outbox', organizationId)).toHaveLength(1), {
      timeout: 10_000,
    })
    const revoked = await createKey(organizationId)
    await callAsService('DELETE', `/v1/api-keys/${revoked.id}`, { headers: { 'X-Org-Id': organizationId } })
    await callAsService('POST', `/v1/organizations/${organizationId}/invitations`, {
      headers: { 'X-Org-Id': organizationId },
      body: { email: `${unique('eve')}@example.com`, role: 'viewer' },
    })
    await vi.waitFor(async () => expect(await rowsOf('emails', organizationId)).toEqual([]), {
      timeout: 10_000,
    })
    const [letter] = await waitingLetters(1)
    await run("UPDATE emails SET organization_id = ?, status = 'failed' WHERE id = ?", organizationId, letter)
    await overdueDeliveries(2)
    await run('UPDATE webhook_deliveries SET organization_id = ?', organizationId)
    await run(
      "UPDATE webhook_deliveries SET status = 'failed' WHERE id = (SELECT max(id) FROM webhook_deliveries)",
    )
    const counted = async () => {
      const tables = [
        'sandbox_outbox',
        'api_keys',
        'invitations',
        'emails',
        'webhook_deliveries',
        'event_types',
      ]
      const counts = await Promise.all(
        tables.map(async (table) => [table, (await rowsOf(table, organizationId)).length]),
      )
      const addresses = (await rowsOf('activity', organizationId)).filter(
        (entry) => entry.ip_address !== null,
      )
      return { ...Object.fromEntries(counts), addresses: addresses.length > 0 }
    }
    const activity = (await rowsOf('activity', organizationId)).length
    const before = {
      sandbox_outbox: 1,
      api_keys: 3,
      invitations: 1,
      emails: 1,
      webhook_deliveries: 2,
      event_types: 3,
    }
    const quiet = serviceWith({}).env
    await sweep(quiet, Date.now() + 89 * DAY_MS)
    expect(await counted()).toEqual({ ...before, addresses: true })
    await sweep(quiet, Date.now() + 91 * DAY_MS)
    // The invitation ran out after seven days, and its ninety began then.
    const after = {
      sandbox_outbox: 0,
      api_keys: 2,
      invitations: 1,
      emails: 0,
      webhook_deliveries: 1,
      event_types: 2,
    }
    expect(await counted()).toEqual({ ...after, addresses: false })
    expect((await rowsOf('activity', organizationId)).length).toBeGreaterThanOrEqual(activity)
    expect((await call('GET', `/v1/bookings/${booking.id}`, { key: liveKey })).status).toBe(200)
    await sweep(quiet, Date.now() + 98 * DAY_MS)
    expect(await rowsOf('invitations', organizationId)).toEqual([])
  })

  it('is kept for as many days as the operator says', async () => {
    const { id: organizationId } = await createOrganization()
    const [letter] = await waitingLetters(1)
    await run("UPDATE emails SET organization_id = ?, status = 'failed' WHERE id = ?", organizationId, letter)
    await sweep(serviceWith({ RETENTION_DAYS: '10' }).env, Date.now() + 9 * DAY_MS)
    expect(await rowsOf('emails', organizationId)).toHaveLength(1)
    await sweep(serviceWith({ RETENTION_DAYS: '10' }).env, Date.now() + 11 * DAY_MS)
    expect(await rowsOf('emails', organizationId)).toEqual([])
  })
})
