import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Clock } from '../../src/operations/imports/clock.ts'
import { ImportKeeper, type WantedImport } from '../../src/operations/imports/import-keeper.ts'
import { ended, getImport, importFrom, importWhole, openForeign, secretOf } from '../support/foreign.ts'

const MINUTE_MS = 60_000
const MOST_ALARM_MS = 15 * MINUTE_MS
const STUDIO = ['ada.berger@example.com', 'ben.okafor@example.com', 'cem.yilmaz@example.com']

/** Time that passes when the test says so. */
function openClock() {
  let now = Date.now()
  const timers = new Set<{ readonly at: number; readonly done: () => void }>()
  const clock: Clock = {
    now: () => now,
    start(ms) {
      let stop = () => {}
      const passed = new Promise<void>((done) => {
        const timer = { at: now + ms, done }
        timers.add(timer)
        stop = () => timers.delete(timer)
      })
      return { passed, stop }
    },
  }
  return {
    clock,
    toNext() {
      const [next] = [...timers].sort((one, other) => one.at - other.at)
      if (!next) return
      timers.delete(next)
      now = Math.max(now, next.at)
      next.done()
    },
  }
}

const settledSoon = (what: Promise<unknown>) =>
  Promise.race([what.then(() => true), new Promise<false>((done) => setTimeout(done, 25, false))])

async function callsOf(world: Awaited<ReturnType<typeof openForeign>>['world']) {
  return (await world.look()).calls!.length
}

it('waits for half an hour in steps far below the limit of an alarm, and reads nothing again', async () => {
  const plain = await openForeign('calendly', { emails: STUDIO })
  await importWhole('calendly', plain.organization)
  const { organization, world } = await openForeign('calendly', { emails: STUDIO })
  const late = { status: 429, headers: { 'Retry-After': '1800' }, json: {}, times: 1 }
  await world.troubles([{ about: '/scheduled_events', ...late }])
  const { clock, toNext } = openClock()
  const keeper = new ImportKeeper(env, clock)
  const caller = {
    kind: 'service',
    organizationId: organization.id,
    isTest: false,
    onBehalfOf: null,
    ownerUserId: organization.ownerUserId,
  }
  const wanted = { source: 'calendly', secret: secretOf('calendly').token, caller, ipAddress: null }
  const started = await keeper.start({ ...wanted, requestId: 'r' } as WantedImport)
  const { id } = (started as { job: { id: string } }).job
  const begun = clock.now()
  const took: number[] = []
  for (let hasMore = true; hasMore; ) {
    const from = clock.now()
    const stepping = keeper.step('calendly', organization.id)
    while (!(await settledSoon(stepping))) toNext()
    hasMore = await stepping
    took.push(clock.now() - from)
  }
  expect(Math.max(...took)).toBeLessThan(MOST_ALARM_MS / 10)
  expect(clock.now() - begun).toBeGreaterThanOrEqual(30 * MINUTE_MS)
  const { results } = await env.DB.prepare('SELECT status, made FROM import_jobs WHERE id = ?').bind(id).all()
  expect(results.map(({ status, made }) => [status, JSON.parse(String(made)).bookings])).toEqual([
    ['done', 9],
  ])
  expect(await callsOf(world)).toBe((await callsOf(plain.world)) + 1)
})

it('is interrupted if it would have to wait for hours, says until when, and continues afterwards', async () => {
  const { organization, world } = await openForeign('calendly', { emails: STUDIO })
  const late = { status: 429, headers: { 'Retry-After': '7200' }, json: {}, times: 1 }
  await world.troubles([{ about: '/invitees', ...late }])
  const before = Date.now()
  const { body } = await importFrom('calendly', organization)
  const job = await ended(organization, body.id)
  expect(job).toMatchObject({ status: 'interrupted', finished_at: null, made: { event_types: 11 } })
  const { why } = job.left_out.find(({ what }: any) => what === 'Everything else')
  const [, day, time] = /^The other service accepts no further requests until (\S+) (\S+) UTC\./.exec(why)!
  const waits = Date.parse(`${day}T${time}Z`) - before
  expect(waits).toBeGreaterThanOrEqual(120 * MINUTE_MS)
  expect(waits).toBeLessThan(123 * MINUTE_MS)
  expect((await importFrom('calendly', organization)).body.id).toBe(body.id)
  expect(await ended(organization, body.id)).toMatchObject({ status: 'done', made: { bookings: 9 } })
  expect(JSON.stringify((await getImport(organization, body.id)).left_out)).not.toContain('until')
})

const INTERRUPTED = { status: 429, headers: { 'Retry-After': '7200' }, json: {}, times: 1 }

it('names once it continued what it left out before', async () => {
  const plain = await openForeign('calendly')
  const whole = await importWhole('calendly', plain.organization)
  const { organization, world } = await openForeign('calendly')
  await world.troubles([{ about: '/invitees', ...INTERRUPTED }])
  const { body } = await importFrom('calendly', organization)
  expect((await ended(organization, body.id)).status).toBe('interrupted')
  await importFrom('calendly', organization)
  const named = ({ left_out }: any) => left_out.map(({ what, why }: any) => `${what}: ${why}`).sort()
  expect(named(await ended(organization, body.id))).toEqual(named(whole))
})

it('names what an attempt left out that ended before it stored that', async () => {
  const { organization, world } = await openForeign('calendly')
  await world.troubles([{ about: '/invitees', ...INTERRUPTED }])
  const { body } = await importFrom('calendly', organization)
  expect((await ended(organization, body.id)).made.event_types).toBeGreaterThan(0)
  await env.DB.prepare("UPDATE import_jobs SET left_out = '[]' WHERE id = ?").bind(body.id).run()
  await importFrom('calendly', organization)
  const { left_out } = await ended(organization, body.id)
  expect(left_out.map(({ what }: any) => what)).toEqual(
    expect.arrayContaining(['Price of Portfolio review (paid)', 'Host: Ada Berger']),
  )
})
