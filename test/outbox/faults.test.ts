import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { serveConsole } from '../../src/console/serve.ts'
import { serveMcp } from '../../src/mcp/serve-mcp.ts'
import { servePage } from '../../src/pages/serve.ts'
import { openDb, ping } from '../../src/platform/db/client.ts'
import { takeTime, withDeadline } from '../../src/platform/db/deadline.ts'
import { isPassing } from '../../src/platform/db/passing-failure.ts'
import { NO_ANSWER, Patience } from '../../src/platform/db/patience.ts'
import type { DeliveryMessage, Message } from '../../src/platform/queue/messages.ts'
import { consume } from '../../src/worker/jobs/consume.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import type { Answered, Call } from '../support/app.ts'
import { blinkingDatabase } from '../support/blinking-database.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { bookingInput, createOrganization, unique } from '../support/factories.ts'
import type { Received } from '../support/receiver.ts'
import { serviceWith } from '../support/service-with.ts'
import { slowDatabase } from '../support/slow-database.ts'
import {
  auditDeadlines,
  auditHolds,
  auditMeetings,
  auditSeatsAndCaps,
  auditWaiting,
  openByRows,
  releaseAll,
} from '../support/storm/audits.ts'
import { storm } from '../support/storm/operations.ts'
import { DAY, HOURS, makeWorld, type Row, rows, STARTS } from '../support/storm/world.ts'

const HOUR_MS = 3_600_000
const QUIET_LOOKS = 20

afterEach(() => {
  vi.restoreAllMocks()
})

/** The service, whose surroundings fail at random until they are calm. */
function fragileService(seed: number) {
  const { roll, below, pick } = chance(seed)
  const database = blinkingDatabase()
  const attempts: DeliveryMessage[] = []
  const WEBHOOKS = {
    send: async (body: DeliveryMessage) => void attempts.push(body),
    sendBatch: async (batch: Iterable<{ body: DeliveryMessage }>) =>
      void attempts.push(...[...batch].map(({ body }) => body)),
  }
  const service = serviceWith({ DB: database.DB, WEBHOOKS, ALLOW_PRIVATE_HOSTS: 'true' })
  const { now } = Date
  const clock = vi.spyOn(Date, 'now')
  let isCalm = false
  let blips = 0
  const off: Promise<unknown>[] = []

  /** Takes what waits in the queues: while it storms, some of it never arrives, and some twice. */
  async function deliver(): Promise<void> {
    const waiting: (Message | DeliveryMessage)[] = [...service.messages.splice(0), ...attempts.splice(0)]
    const arriving = waiting.flatMap((one) => (isCalm ? [one] : pick([[one], [one], [], [one, one]])))
    const messages = arriving.map((body) => ({ body, attempts: 1, ack: () => {}, retry: () => {} }))
    const ctx = { waitUntil: (work: Promise<unknown>) => void off.push(work) }
    await consume({ queue: 'holdfast-events', messages } as never, service.env, ctx)
    await Promise.allSettled(off.splice(0))
  }

  async function call(method: string, path: string, options?: Call): Promise<Answered> {
    const dice = below(100)
    if (dice < 5) service.killObjects()
    else if (dice < 8) clock.mockImplementation(() => now() - below(20) * 1_000)
    else if (dice < 11) clock.mockImplementation(now)
    else if (dice < 20) await deliver()
    return service.call(method, path, options)
  }

  database.failAtRandom(() => {
    if (isCalm || roll() >= 0.05) return null
    blips += 1
    return pick(['before', 'after'] as const)
  })
  return {
    call,
    book: async (...given: Parameters<typeof service.book>) => {
      if (below(20) === 0) service.killObjects()
      return service.book(...given)
    },
    blips: () => blips,
    /** The clock goes right, and nothing is under way any more: neither a turn nor a round trip, nor one that comes of these. */
    async settle(): Promise<void> {
      clock.mockImplementation(now)
      let quiet = 0
      const look = () => {
        quiet = service.underWay() + database.underWay() === 0 ? quiet + 1 : 0
        expect(quiet).toBeGreaterThan(QUIET_LOOKS)
      }
      await vi.waitFor(look, { timeout: 30_000, interval: 20 })
    },
    /** The faults end, and everything that waits is told by a cron which is an hour late. */
    async calm(): Promise<void> {
      isCalm = true
      for (let late = 1; late <= 4; late++) {
        clock.mockImplementation(() => now() + late * HOUR_MS)
        await sweep(service.env, Date.now())
        do await deliver()
        while (service.messages.length + attempts.length > 0)
      }
      clock.mockRestore()
    },
  }
}

describe('a storm in which everything around the service fails', () => {
  it(
    `loses nothing that was acknowledged, delivers everything that was committed and leaves all data consistent: seed ${SEED}`,
    async () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const world = await makeWorld(true)
      const { key, types, organization } = world
      const service = fragileService(SEED)
      const url = `${inject('receiver')}/${unique('hook')}`
      const calm = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })
      const endpoint = await calm.call('POST', '/v1/webhooks', { key, body: { url, events: ['*'] } })
      expect(endpoint.body.verification_status).toBe('verified')
      const [before] = await rows(
        'SELECT coalesce(max(sequence), 0) AS sequence FROM events WHERE organization_id = ?',
        organization.id,
      )

      const answers: Answered[] = []
      const heard = async (asked: Promise<Answered>) => {
        const answer = await asked
        answers.push(answer)
        return answer
      }
      const counts = await storm(world, SEED, amount(400, 2_400), {
        call: (...given) => heard(service.call(...given)),
        book: (...given) => heard(service.book(...given)),
      })
      for (const told of counts.keys())
        expect(told).toMatch(/ (20[014]|400|404|409|503)$|^move 403$|^(move|cancel) 429$/)
      const refused = answers.filter(({ status }) => status === 503)
      // Else little failed.
      expect(service.blips()).toBeGreaterThan(amount(5, 15))
      for (const { headers, body } of refused) {
        expect([body.error.code, Number(headers.get('Retry-After')) > 0]).toEqual([
          'service_unavailable',
          true,
        ])
      }

      // What was answered with 503, for the clock jumped over its deadline, goes on for a while: it may set hours itself.
      await service.settle()
      for (const id of types) {
        const path = `/v1/event-types/${id}`
        const on = await calm.call('PATCH', path, { key, body: { active: true } })
        const open = await calm.call('PUT', `${path}/availability`, { key, body: { rules: HOURS } })
        expect([on.status, open.status]).toEqual([200, 200])
      }
      await service.calm()
      await auditDeliveries(organization.id, url, before!.sequence)

      const bookings = new Map(
        (await rows('SELECT id, status FROM bookings')).map((row) => [row.id, row.status]),
      )
      for (const { status, body } of answers) {
        if (status >= 300 || !body?.cancel_token || body.position !== undefined) continue
        // A series is its bookings.
        for (const { id } of body.bookings ?? [body]) expect(bookings.has(id)).toBe(true)
      }
      for (const { status, body } of answers) {
        if (status === 200 && body?.status === 'cancelled' && bookings.has(body.id)) {
          expect(bookings.get(body.id)).toBe('cancelled')
        }
      }

      await auditHolds()
      await auditDeadlines()
      await auditSeatsAndCaps(types)
      await releaseAll(key)
      await sweep(env, Date.now())
      // Event types that share a host tell each other beside the answer.
      await expect.poll(() => rows('SELECT * FROM freed_times')).toEqual([])
      await auditHolds()
      await auditMeetings(types[2]!)
      for (const id of types) {
        // What was freed may be offered to those who wait between one look and the next.
        const agree = async () => {
          const open = await openByRows(id)
          expect(await calm.openStarts(id, DAY)).toEqual(open)
          await auditWaiting(id, open, world.hosted.includes(id))
        }
        await vi.waitFor(agree, { timeout: 10_000, interval: 100 })
      }
    },
    SOAK_TIMEOUT_MS,
  )
})

describe('a database that takes five seconds for each statement', () => {
  const ANSWER_MS = 10_000
  const SLOW_MS = 5_000

  it('makes no request wait for more than ten seconds, and leaves nothing half done', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const world = await makeWorld(false)
    const slow = slowDatabase(SLOW_MS)
    const service = serviceWith({ DB: slow.DB })
    const waits: number[] = []
    const timed = async (asked: () => Promise<Answered>) => {
      const { answer, tookMs } = await slow.time(asked)
      waits.push(tookMs)
      return answer
    }
    const counts = await storm(world, SEED, amount(16, 480), {
      call: (...given) => timed(() => service.call(...given)),
      book: (...given) => timed(() => service.book(...given)),
    })
    for (const told of counts.keys())
      expect(told).toMatch(/ (20[014]|400|404|409|503)$|^move 403$|^(move|cancel) 429$/)
    expect(Math.max(...waits)).toBeGreaterThan(SLOW_MS)
    expect(Math.max(...waits)).toBeLessThanOrEqual(ANSWER_MS)
    await slow.hurry()
    await auditHolds()
    await auditDeadlines()
    await auditSeatsAndCaps(world.types)
    await releaseAll(world.key)
  })

  it('carries out completely what it had begun, which a retry with the same key returns, and nothing that was given up in the queue', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { key, types } = await makeWorld(false)
    const slow = slowDatabase(SLOW_MS)
    const service = serviceWith({ DB: slow.DB })
    const [id] = types
    const asked = STARTS.slice(0, 6).map((start, at) => {
      const headers = { 'Idempotency-Key': unique('slow') }
      // Whoever books by key is known at once, so all of them come at the same time.
      const body = bookingInput(id!, start, { invitee_email: `slow-${at}@example.com` })
      return () => service.call('POST', '/v1/bookings', { key, headers, body })
    })
    const told = await Promise.all(asked.map((ask) => ask()))
    expect(told.map(({ status, headers }) => [status, headers.get('Retry-After')])).toEqual(
      Array(told.length).fill([503, '2']),
    )
    await slow.hurry()
    const begun = await rows('SELECT * FROM bookings WHERE event_type_id = ?', id)
    expect(begun).toHaveLength(1)
    const again = await Promise.all(asked.map((ask) => ask()))
    expect(again.map(({ status }) => status)).toEqual(Array(again.length).fill(201))
    expect(again.map(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toEqual(
      again.map(({ body }) => body.id === begun[0]!.id),
    )
    expect(await rows('SELECT id FROM bookings WHERE event_type_id = ?', id)).toHaveLength(asked.length)
  })

  it('is not queried for a request that has ended, which does not count as its silence', async () => {
    const slow = slowDatabase(0)
    const late = withDeadline({ ...env, DB: slow.DB } as never, 0)
    await expect(ping(openDb(late, 'decide'))).rejects.toSatisfy(isPassing)
    expect(slow.asked()).toBe(0)
    takeTime(late)
    await ping(openDb(late, 'decide'))
    const patience = new Patience(50, 10)
    const now = async () => 'an answer'
    await expect(patience.with(() => new Promise(() => {}), 20)).rejects.toThrow(NO_ANSWER)
    expect(await Promise.all([patience.with(now), patience.with(now)])).toEqual(['an answer', 'an answer'])
  })

  it('is waited for longer by tasks that take their time, such as the last batch of an import', async () => {
    const slow = slowDatabase(25_000)
    const asked = { ...env, DB: slow.DB } as never
    const patient = withDeadline(asked)
    takeTime(patient)
    await ping(openDb(patient, 'decide'))
    await expect(ping(openDb(withDeadline(asked), 'decide'))).rejects.toSatisfy(isPassing)
    await slow.hurry()
  })
})

describe('something that hangs without any patience of its own', () => {
  it('is waited for until the request is over, at every entry point', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    let release = () => {}
    const hangs = new Promise<never>((_, fail) => {
      release = () => fail(new Error('It hung.'))
    })
    hangs.catch(() => {})
    const service = serviceWith({
      answerMs: 1,
      PUBLIC_LIMIT: { limit: () => hangs },
      RATE_LIMITS: { getByName: () => ({ admit: () => hangs, keep: async () => {} }) },
    })
    const { liveKey: key } = await createOrganization()
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    // The first calls of a network are counted by nobody else.
    const known = { 'CF-Connecting-IP': '192.0.2.1' }
    for (let call = 0; call < 10; call++) {
      await service.call('GET', '/v1/availability', { headers: known })
    }
    const at = {
      console: new URL('https://holdfast.test/console'),
      mcp: new URL('https://holdfast.test/mcp'),
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const mcp = new Request(at.mcp, { method: 'POST', headers, body: JSON.stringify(ping) })
    const answers = await Promise.all([
      service.call('GET', '/v1/bookings', { key }),
      service.call('GET', '/v1/availability', { headers: known }),
      servePage(new Request('https://holdfast.test/book/nobody', { headers: known }), service.env),
      serveConsole(new Request(at.console, { headers: known }), service.env, at.console),
      serveMcp(mcp, service.env, at.mcp),
    ])
    release()
    expect(answers.map((answer) => answer?.status)).toEqual(Array(answers.length).fill(503))
  })
})

/**
 * Every event after that one was handled, and reached the receiver in one delivery, whose repetitions have its id. The clock was
 * behind at times, so nothing is compared with when the endpoint was created.
 */
async function auditDeliveries(organizationId: string, url: string, after: number): Promise<void> {
  const events = await rows(
    'SELECT id, handled_at FROM events WHERE organization_id = ? AND sequence > ?',
    organizationId,
    after,
  )
  expect(events.filter(({ handled_at }) => handled_at === null)).toEqual([])
  const received: Row[] = (await (await fetch(url)).json<Received[]>()).map(({ body }) => JSON.parse(body))
  const ids = new Set(received.map(({ id }) => id))
  expect(events.length).toBeGreaterThan(20)
  expect(events.filter(({ id }) => !ids.has(id))).toEqual([])
}
