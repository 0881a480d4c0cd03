import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAdapter } from '../../race/src/adapters/find.js'
import { audit } from '../../race/src/audit.js'
import { serveNaive } from '../../race/src/naive/serve.js'
import { race } from '../../race/src/race.js'
import { writeSvg } from '../../race/src/reports/svg.js'
import { countFindings, statusOf, writeText } from '../../race/src/reports/text.js'
import type { Booking, EventType, Report } from '../../race/src/types.d.ts'
import type { Act } from '../../race/src/watch.js'

const MINUTE_MS = 60_000
const TEN = Date.parse('2026-03-09T10:00:00Z')
const eventType: EventType = { id: 'type', minutes: 30 }

function booked(start: number, id: string, more: Partial<Booking> = {}): Booking {
  const end = start + 30 * MINUTE_MS
  return { id, email: `${id}@example.com`, start, end, host: null, isActive: true, ...more }
}

function act(kind: Act['kind'], start: number, id: string | null, more: Partial<Act> = {}): Act {
  const answer: Act['answer'] =
    id === null ? { kind: 'taken', status: 409, why: 'taken' } : { kind: 'made', id }
  return { kind, eventType, start, end: start + 30 * MINUTE_MS, email: null, id, answer, due: null, ...more }
}

function kindsOf(acts: readonly Act[], bookings: readonly Booking[], type = eventType, fullUse = true) {
  return audit(acts, new Map([[type, bookings]]), { fullUse }).map(({ kind }) => kind)
}

describe('the auditor', () => {
  it('finds nothing in a history without faults', () => {
    const acts = [act('book', TEN, 'a'), act('book', TEN, null), act('book', TEN + 30 * MINUTE_MS, 'b')]
    expect(kindsOf(acts, [booked(TEN, 'a'), booked(TEN + 30 * MINUTE_MS, 'b')])).toEqual([])
  })

  it('finds two bookings that overlap', () => {
    expect(kindsOf([], [booked(TEN, 'a'), booked(TEN + 15 * MINUTE_MS, 'b')])).toEqual(['double'])
    expect(kindsOf([], [booked(TEN, 'a'), booked(TEN, 'b', { isActive: false })])).toEqual([])
    expect(kindsOf([], [booked(TEN, 'a', { host: 'x' }), booked(TEN, 'b', { host: 'y' })])).toEqual([])
  })

  it('finds a seat too many, and a session that overlaps another one', () => {
    const type = { ...eventType, seats: 2 }
    expect(kindsOf([], [booked(TEN, 'a'), booked(TEN, 'b')], type)).toEqual([])
    expect(kindsOf([], [booked(TEN, 'a'), booked(TEN, 'b'), booked(TEN, 'c')], type)).toEqual(['double'])
    expect(kindsOf([], [booked(TEN, 'a'), booked(TEN + MINUTE_MS, 'b')], type)).toEqual(['double'])
  })

  it('finds a booking beyond the cap of its day', () => {
    const type = { ...eventType, capPerDay: 1 }
    const later = TEN + 60 * MINUTE_MS
    expect(kindsOf([], [booked(TEN, 'a'), booked(later, 'b')], type)).toEqual(['double'])
    expect(kindsOf([act('book', later, null, { eventType: type })], [booked(TEN, 'a')], type)).toEqual([])
  })

  it('finds a booking that was acknowledged and is not there', () => {
    expect(kindsOf([act('book', TEN, 'a')], [])).toEqual(['lost'])
    expect(kindsOf([act('book', TEN, 'a')], [booked(TEN, 'a', { isActive: false })])).toEqual(['lost'])
    expect(kindsOf([act('book', TEN, 'a')], [booked(TEN + 60 * MINUTE_MS, 'a')])).toEqual(['lost'])
  })

  it('lets a cancelled booking be gone, and a moved one be elsewhere', () => {
    const later = TEN + 60 * MINUTE_MS
    const cancel = act('cancel', 0, 'a')
    expect(kindsOf([act('book', TEN, 'a'), cancel], [booked(TEN, 'a', { isActive: false })])).toEqual([])
    expect(kindsOf([act('book', TEN, 'a'), cancel], [booked(TEN, 'a')])).toEqual(['lost'])
    expect(kindsOf([act('book', TEN, 'a'), act('move', later, 'a')], [booked(later, 'a')])).toEqual([])
  })

  it('finds an offered start that is refused, and a refused one that is free', () => {
    expect(kindsOf([act('book', TEN, null, { due: 'offered' })], [])).toEqual(['false_offer'])
    expect(kindsOf([act('book', TEN, null)], [])).toEqual(['false_refusal'])
    expect(kindsOf([act('book', TEN, null)], [], eventType, false)).toEqual([])
    const hosts = { ...eventType, hosts: ['x', 'y'] }
    expect(
      kindsOf([act('book', TEN, null, { eventType: hosts })], [booked(TEN, 'a', { host: 'x' })], hosts),
    ).toEqual(['false_refusal'])
  })
})

describe('the storms on a scheduler that looks first and writes afterwards', () => {
  let naive: Awaited<ReturnType<typeof serveNaive>>
  let report: Report
  beforeAll(async () => {
    naive = await serveNaive()
    const adapter = (await findAdapter('naive'))!
    const target = await adapter({ url: naive.url, key: '', settings: {}, restart: null })
    report = await race(target, { seed: 7, callers: 12, rounds: 1, storms: null })
  }, 60_000)
  afterAll(() => naive.stop())

  it.each([
    'one-start',
    'overlapping-lengths',
    'shared-host',
    'seats',
    'caps',
    'cancel-and-book',
    'move-and-book',
  ])('find times that were given twice: %s', (name) => {
    const row = report.rows.find(({ storm }) => storm === name)!
    expect(row.double).toBeGreaterThan(0)
    expect([row.lost, row.falseOffers, row.falseRefusals, row.failed]).toEqual([0, 0, 0, 0])
  })

  it('name what the adapter does not have', () => {
    const leftOut = report.rows.filter((row) => row.leftOut !== null).map(({ storm }) => storm)
    expect(leftOut).toEqual(['hold-deadlines', 'approvals', 'lost-answers', 'kill-and-restart'])
    expect(writeText(report)).toContain('hold-deadlines was not run: the adapter does not have: holds.')
  })

  it('are a table with every finding counted, and a picture', () => {
    expect(countFindings(report)).toBe(report.rows.reduce((sum, row) => sum + row.double, 0))
    expect(writeSvg(report).match(/#fca5a5/g)).toHaveLength(7)
  })
})

/** Passes each request on, except those that it drops like a process that has ended. */
async function serveInFrontOf(url: string, isDropped: (count: number) => boolean) {
  let count = 0
  const server = createServer(async (request, response) => {
    count += 1
    if (isDropped(count)) return request.socket.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(`${url}${request.url}`, { method: request.method!, ...body })
    response.writeHead(answer.status).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

function runCli(...args: readonly string[]): Promise<Ended> {
  return new Promise((ended) => {
    const child = execFile(process.execPath, ['race/src/cli.js', ...args], (_, stdout, stderr) =>
      ended({ status: child.exitCode, stdout, stderr }),
    )
  })
}

describe('a target that goes away', () => {
  const few = ['--callers', '4', '--rounds', '2', '--storms', 'one-start,seats,cancel-and-book']
  let naive: Awaited<ReturnType<typeof serveNaive>>
  beforeAll(async () => {
    naive = await serveNaive()
  })
  afterAll(() => naive.stop())

  it('for good is named with the storms that it interrupted, and the run ends with 3', async () => {
    const front = await serveInFrontOf(naive.url, (count) => count > 2)
    const { status, stdout, stderr } = await runCli('naive', '--url', front.url, ...few)
    front.stop()
    expect([status, stderr]).toEqual([3, ''])
    expect(stdout).toMatch(/^one-start stopped in round 1: bookings: the target did not answer \(.+\)$/m)
    expect(stdout).toMatch(/^cancel-and-book stopped in round 1: event type: the target did not answer/m)
  })

  it('for a moment interrupts one storm, and the others are run', async () => {
    const front = await serveInFrontOf(naive.url, (count) => count === 1)
    const adapter = (await findAdapter('naive'))!
    const target = await adapter({ url: front.url, key: '', settings: {}, restart: null })
    const report = await race(target, { seed: 7, callers: 2, rounds: 1, storms: ['one-start', 'seats'] })
    front.stop()
    expect(report.rows.map(({ stopped, calls }) => [stopped?.slice(0, 19) ?? null, calls > 0])).toEqual([
      ['round 1: event type', false],
      [null, true],
    ])
    expect(writeSvg(report).match(/stopped/g)?.length).toBe(4)
    expect(statusOf({ ...report, rows: report.rows.map((row) => ({ ...row, findings: [] })) })).toBe(3)
  })

  it('before the first storm is named without a stack trace', async () => {
    const front = await serveInFrontOf(naive.url, () => true)
    const ended = await runCli('holdfast', '--url', front.url, '--key', 'hf_live_x', ...few)
    front.stop()
    expect([ended.status, ended.stdout]).toEqual([3, ''])
    expect(ended.stderr).toMatch(/^holdfast at http:\S+: health: the target did not answer \(.+\)\n$/)
  })

  it('and whose restart fails interrupts that storm, after all callers are answered', async () => {
    const adapter = (await findAdapter('naive'))!
    const restart = () => Promise.reject(new Error('the restart command ended with 7'))
    const target = await adapter({ url: naive.url, key: '', settings: {}, restart: null })
    const restarted = { ...target, features: new Set([...target.features, 'restart' as const]), restart }
    const report = await race(restarted, { seed: 7, callers: 20, rounds: 1, storms: ['kill-and-restart'] })
    expect(report.rows[0]).toMatchObject({ stopped: 'round 1: the restart command ended with 7', calls: 80 })
  })
})
