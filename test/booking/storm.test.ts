import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { amount, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { dateOf, iso, openStarts } from '../support/factories.ts'
import { patienceOf } from '../support/patience.ts'
import {
  auditDeadlines,
  auditHolds,
  auditMeetings,
  auditReopening,
  auditSeatsAndCaps,
  auditWaiting,
  auditWaits,
  openByRows,
  releaseAll,
} from '../support/storm/audits.ts'
import { auditMoney, settleMoney } from '../support/storm/money.ts'
import { storm } from '../support/storm/operations.ts'
import { DAY, HOURS, makeWorld, type Row, rows, STARTS } from '../support/storm/world.ts'

describe('a storm', () => {
  // In npm test the larger world alone.
  it.each(
    (
      [
        ['on hosts and calendars', SEED + 1, true],
        ['on hosts', SEED, false],
      ] as const
    ).slice(0, amount(1, 2)),
  )(
    'of hundreds of parallel operations %s leaves everything sound: seed %i',
    async (_what, seed, withCalendars) => {
      // However busy the machine is, nobody gives up a provider or an answer.
      patienceOf(3_000, 4_000, 6_000, 7_000)
      Object.assign(env, { answerMs: SOAK_TIMEOUT_MS })
      const world = await makeWorld(withCalendars, true)
      const counts = await storm(world, seed)
      for (const told of counts.keys())
        expect(told).toMatch(/ (20[014]|400|404|409)$|^move 403$|^(move|cancel) 429$/)
      // Where many at a time ask about one booking, its limits come before its notice.
      expect((counts.get('move 403') ?? 0) + (counts.get('move 429') ?? 0)).toBeGreaterThanOrEqual(
        amount(0, 1),
      )
      const { key } = world
      for (const id of world.types) {
        await call('PATCH', `/v1/event-types/${id}`, { key, body: { active: true } })
        await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: HOURS } })
      }
      // What one event type gives back is passed on to others after the answer.
      await new Promise((resolve) => setTimeout(resolve, 500))
      await settleMoney(world)
      await sweep(env, Date.now())

      await auditHolds()
      await auditDeadlines()
      await auditSeatsAndCaps(world.types)
      await releaseAll(key)
      await sweep(env, Date.now())
      await expect.poll(() => rows('SELECT * FROM freed_times')).toEqual([])
      await auditWaits()
      await auditHolds()
      await auditMeetings(world.types[2]!)
      await auditSeatsAndCaps(world.types)
      let promoted = 0
      for (const id of world.types) {
        const open = await openStarts(id, DAY)
        expect(open).toEqual(await openByRows(id))
        promoted += await auditWaiting(id, open, world.hosted.includes(id))
        const date = dateOf(DAY)
        const { body } = await call(
          'GET',
          `/v1/availability?event_type_id=${id}&start=${date}&end=${date}&timezone=UTC`,
        )
        // A team that lacks hosts has no start that anybody could wait for.
        const { bookable } = (await call('GET', `/v1/event-types/${id}`, { key })).body
        const lacksHosts = bookable.reasons.some(({ code }: Row) => code === 'no_hosts')
        if (!body.waitlist_slots || lacksHosts) continue
        const taken = body.waitlist_slots.map((slot: Row) => slot.start_time)
        expect([...open, ...taken].sort()).toEqual(STARTS.map(iso))
      }
      expect(promoted).toBeGreaterThanOrEqual(amount(0, 11))
      for (const id of world.types) await auditReopening(id, key)
      await auditHolds()
      await auditSeatsAndCaps(world.types)
      await settleMoney(world)
      await auditWaits()
      await auditMoney(world)
    },
    SOAK_TIMEOUT_MS,
  )
})
