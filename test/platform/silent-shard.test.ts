import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorHealth } from '../../src/operations/health/operator-health.ts'
import { findSession, openSession } from '../../src/people/sign-in/sessions.ts'
import { shardOf } from '../../src/platform/db/ids.ts'
import { isPassing } from '../../src/platform/db/passing-failure.ts'
import { NO_ANSWER, Patience, patienceWith } from '../../src/platform/db/patience.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'
import { bindShards, databaseOf, makeSmallest, organizationIn, silentDatabase } from '../support/shards.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

let homes: readonly Organization[]
let silent: ReturnType<typeof silentDatabase>
let service: ReturnType<typeof serviceWith>

beforeAll(async () => {
  await bindShards()
  homes = [await organizationIn(0), await organizationIn(1), await organizationIn(2)]
  silent = silentDatabase(env.SECOND)
  patienceWith(silent.DB, 100, 20)
  service = serviceWith({ DB_1: silent.DB })
})

describe('a database that does not answer', () => {
  it('harms its own organizations alone, with a 503 that says when to try again, and nothing is done twice', async () => {
    const types = await Promise.all(
      homes.map(({ liveKey }) => createEventType(liveKey, { booking_page_enabled: true })),
    )
    const headers = { 'Idempotency-Key': unique('key') }
    const askAll = async () => {
      const told: { statuses: number[]; waits: (string | null)[] }[] = []
      for (const { id } of types) {
        const range = `start=${dateOf(SLOT)}&end=${dateOf(SLOT)}&timezone=UTC`
        const asked = await Promise.all([
          service.call('POST', '/v1/bookings', { body: bookingInput(id, SLOT), headers }),
          service.call('GET', `/v1/availability?event_type_id=${id}&${range}`),
          service.call('GET', `/v1/public/event-types/${id}`),
        ])
        told.push({
          statuses: asked.map(({ status }) => status),
          waits: asked.map(({ headers: sent }) => sent.get('Retry-After')),
        })
      }
      return told
    }
    silent.fall()
    const [first, second, third] = await askAll()
    expect([first!.statuses, second!.statuses, third!.statuses]).toEqual([
      [201, 200, 200],
      [503, 503, 503],
      [201, 200, 200],
    ])
    expect(second!.waits).toEqual(['2', '2', '2'])
    silent.answer()
    await expect
      .poll(async () => (await askAll()).map(({ statuses }) => statuses[0]))
      .toEqual([201, 201, 201])
    for (const [shard, { id }] of types.entries()) {
      const select = databaseOf(shard).prepare('SELECT count(*) AS n FROM bookings WHERE event_type_id = ?')
      expect(await select.bind(id).first('n')).toBe(1)
    }
  })

  it('does not take new organizations, though it is the smallest', async () => {
    await makeSmallest(1)
    silent.fall()
    const body = { name: unique('Elsewhere'), owner_user_id: unique('owner') }
    const made = await service.call('POST', '/v1/organizations', { body, key: env.SERVICE_KEY })
    silent.answer()
    expect([made.status, [0, 2].includes(shardOf(made.body.id))]).toEqual([201, true])
  })

  it('keeps nobody from the pages of others, and from its own it says that it is for now', async () => {
    for (const { liveKey } of homes) await createEventType(liveKey, { booking_page_enabled: true })
    silent.fall()
    const seen = [homes[0]!, homes[2]!, homes[1]!].map(({ slug }) => service.visit(`/book/${slug}`))
    expect((await Promise.all(seen)).map(({ status }) => status)).toEqual([200, 200, 503])
    silent.answer()
  })

  it('does not delay the sweep of the others, and operators see which one it is', async () => {
    await Promise.all([0, 1, 2].map((shard) => databaseOf(shard).prepare('DELETE FROM sweeps').run()))
    silent.fall()
    const swept = sweep(service.env, Date.now())
    await expect(swept).rejects.toThrow(NO_ANSWER)
    const health = await operatorHealth(service.env, Date.now() as RealMs)
    silent.answer()
    const ended = [0, 1, 2].map((shard) =>
      databaseOf(shard).prepare('SELECT count(*) AS n FROM sweeps').first('n'),
    )
    expect(await Promise.all(ended)).toEqual([1, 0, 1])
    expect(health.databases).toMatchObject([
      { name: 'DB', size_bytes: expect.any(Number) },
      { name: 'DB_1', size_bytes: null },
      { name: 'DB_2', size_bytes: expect.any(Number) },
    ])
  })

  it('lets its members in to their other organizations, and takes nobody to another one automatically', async () => {
    const email = `${unique('both')}@example.com`
    const own = [
      await organizationIn(2, { ownerEmail: email }),
      await organizationIn(1, { ownerEmail: email }),
    ]
    const visitor = { ipAddress: null, requestId: null, device: '', former: null, now: Date.now() as RealMs }
    silent.fall()
    const signedIn = (await openSession(service.env, { email, memberId: null }, visitor, false))!
    expect(signedIn.memberships.map(({ id }) => id)).toEqual([own[0]!.id])
    const session = await findSession(service.env, signedIn.token, Date.now() as RealMs)
    expect(session!.memberships.map(({ id }) => id)).toEqual([own[0]!.id])
    const move = env.THIRD.prepare('UPDATE console_sessions SET organization_id = ? WHERE id = ?')
    await move.bind(own[1]!.id, session!.session.id).run()
    const found = findSession(service.env, signedIn.token, Date.now() as RealMs)
    await expect(found).rejects.toSatisfy(isPassing)
    silent.answer()
  })

  it('works as before once it answers', async () => {
    const { id } = await createEventType(homes[1]!.liveKey)
    expect((await bookAsAnother(id, SLOT)).status).toBe(201)
    const { body } = await call('GET', `/v1/bookings?event_type_id=${id}`, { key: homes[1]!.liveKey })
    expect(body.data).toMatchObject([{ start_time: iso(SLOT) }])
  })
})

describe('patience with a database', () => {
  const never = () => new Promise<string>(() => {})
  const now = async () => 'an answer'

  it('ends for callers who wait, and later callers do not wait, except one who checks whether it is back', async () => {
    const patience = new Patience(40, 20)
    const first = await Promise.allSettled([patience.with(never), patience.with(never)])
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    let asked = 0
    const ask = () => {
      asked += 1
      return never()
    }
    const next = await Promise.allSettled(Array.from({ length: 10 }, () => patience.with(ask)))
    expect([next.map(({ status }) => status), asked]).toEqual([Array(10).fill('rejected'), 1])
    expect(await patience.with(now)).toBe('an answer')
    expect(await Promise.all([patience.with(now), patience.with(now)])).toEqual(['an answer', 'an answer'])
  })

  it('is restored by a refusal, which is an answer as well', async () => {
    const patience = new Patience(20, 20)
    await expect(patience.with(never)).rejects.toThrow(NO_ANSWER)
    await expect(
      patience.with(async () => {
        throw new Error('SLOT_TAKEN')
      }),
    ).rejects.toThrow('SLOT_TAKEN')
    expect(await Promise.all([patience.with(now), patience.with(now)])).toHaveLength(2)
  })
})
