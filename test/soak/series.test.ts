import { beforeAll, describe, expect, it } from 'vitest'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import { iso, unique } from '../support/factories.ts'
import { run } from '../support/run.ts'
import { serviceWith } from '../support/service-with.ts'
import { rows, STARTS } from '../support/storm/world.ts'
import { audit } from './audit.ts'
import { auditedWorld } from './audited-world.ts'
import type { World } from './kinds.ts'
import { Ledger, type Series, wholeOf } from './ledger.ts'

const DAY_MS = 86_400_000

let world: World
let key: string

beforeAll(async () => {
  ;({ world, key } = await auditedWorld())
})

/** A series of three that was booked on a day of its own. */
async function made(day: number, input: Partial<Series> = {}) {
  const [{ id: organizationId, types }] = world.organizations as [World['organizations'][number]]
  const email = `${unique('series')}@example.com`
  const starts = [0, 1, 2].map((at) => iso(STARTS[at]! + day * DAY_MS))
  const eventTypeId = types[0]!
  const body = { event_type_id: eventTypeId, starts, invitee_name: 'Ada', invitee_email: email }
  const { status, body: booked } = await call('POST', '/v1/series', { key, body })
  expect(status).toBe(201)
  const acknowledged = { id: booked.id, token: booked.cancel_token, wholes: [wholeOf(booked.bookings)] }
  const series = { email, organizationId, eventTypeId, starts, mayMiss: false, ...acknowledged, ...input }
  return { series, ids: booked.bookings.map(({ id }: { id: string }) => id) as string[] }
}

/** What is found about a series, by the words before its colon. */
async function found(series: Series): Promise<string[]> {
  const ledger = new Ledger()
  ledger.series.push({ ...series })
  await audit(rows, world, ledger)
  return ledger.findings.map((finding) => finding.split(':')[0]!).filter((what) => /series/.test(what))
}

describe('an audit of series', () => {
  it('finds nothing in one that is as it was acknowledged, cut off or not', async () => {
    const { series } = await made(1)
    expect(await found(series)).toEqual([])
    expect(await found({ ...series, id: null, token: null, wholes: null })).toEqual([])
    const body = { from: series.starts[1] }
    expect((await call('POST', `/v1/series/${series.id}/cancel`, { key, body })).status).toBe(200)
    expect(await found(series)).toEqual(['a series is not as it was acknowledged'])
    const place = (at: number) => `${series.starts[at]}=`
    const left = [`${place(0)}booked`, `${place(1)}cancelled`, `${place(2)}cancelled`]
    expect(await found({ ...series, wholes: [...series.wholes!, left] })).toEqual([])
  })

  it('finds one that is half made, of whose making nobody knows', async () => {
    const { series, ids } = await made(2)
    await run('DELETE FROM bookings WHERE id = ?', ids[1])
    const unknown = { ...series, id: null, token: null, wholes: null }
    expect(await found(unknown)).toEqual(['a series is half made', 'events unlike series'])
    expect(await found({ ...unknown, mayMiss: true })).toEqual(['events unlike series'])
  })

  it('finds one that is half cancelled, or was refused', async () => {
    const { series, ids } = await made(3)
    expect(await found({ ...series, wholes: [] })).toContain('a series is booked, though it was refused')
    await run("UPDATE bookings SET status = 'cancelled' WHERE id = ?", ids[0])
    const cancelled = series.wholes![0]!.map((place) => place.replace('=booked', '=cancelled'))
    const findings = await found({ ...series, wholes: [...series.wholes!, cancelled] })
    expect(findings).toContain('a series is not as it was acknowledged')
  })

  it('misses no email about one that is cancelled before it is handled, and finds a missing one', async () => {
    const [{ id: organizationId, types }] = world.organizations as [World['organizations'][number]]
    const quiet = serviceWith({})
    const email = `${unique('series')}@example.com`
    const starts = [0, 1].map((at) => iso(STARTS[at]! + 6 * DAY_MS))
    const body = { event_type_id: types[0], starts, invitee_name: 'Ada', invitee_email: email }
    const { body: booked } = await quiet.call('POST', '/v1/series', { key, body })
    const cancelled = await quiet.call('POST', `/v1/series/${booked.id}/cancel`, { key, body: {} })
    expect(cancelled.status).toBe(200)
    const left = await rows(
      `SELECT e.id FROM events e JOIN bookings b ON b.id = e.data ->> 'id' WHERE b.invitee_email = ? ORDER BY e.sequence`,
      email,
    )
    for (const { id } of left) await handleEvent(quiet.env, id, Date.now() as RealMs)
    const wholes = [starts.map((start) => `${start}=cancelled`)]
    const of = { email, organizationId, eventTypeId: types[0]!, starts, mayMiss: false }
    const series = { ...of, id: booked.id, token: booked.cancel_token, wholes }
    const untold = 'letters about series told twice or never'
    expect(await found(series)).not.toContain(untold)
    await run('UPDATE letter_counts SET letters = letters - 1 WHERE address = ?', email)
    expect(await found(series)).toContain(untold)
    await run('UPDATE letter_counts SET letters = letters + 1 WHERE address = ?', email)
  })

  it('finds one without its event', async () => {
    const { series } = await made(4)
    await run("DELETE FROM events WHERE kind = 'series.created' AND data ->> 'id' = ?", series.id)
    expect(await found(series)).toEqual(['events unlike series'])
  })

  it('finds one that is gone', async () => {
    const { series, ids } = await made(5)
    for (const id of ids) await run('DELETE FROM bookings WHERE id = ?', id)
    expect(await found(series)).toContain('an acknowledged series is gone')
    expect(await found({ ...series, wholes: null })).not.toContain('an acknowledged series is gone')
  })
})
