import { openAsBlob } from 'node:fs'
import { mkdtemp, open as openFile, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newIdIn } from '../../src/platform/db/ids.ts'
import { SERVICE_KEY } from '../support/service.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { asService, bookingOf, createSubject, freshStarts } from './subject.ts'
import { table } from './table.ts'

type Line = Readonly<Record<string, any>>

const MB = 1_000_000
const HALF_HOUR_MS = 1_800_000
const EVENT_TYPES = 20
const LOOK_MS = 100
const SIZE = 100 * MB

type Open = () => Promise<Service>

/**
 * An export as large as Cloudflare takes a request, made of a booking with all that belongs to it, is taken in by another
 * deployment, while somebody looks at the health of that one.
 */
export async function benchImport(open: Open): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'import-'))
  const file = join(directory, 'large.ndjson')
  const old = await open()
  const written = await writeExport(old, file, SIZE)
  await old.stop()
  const young = await open()
  try {
    return await takeIn(young, file, written)
  } finally {
    await young.stop()
    await rm(directory, { recursive: true })
  }
}

async function takeIn(
  service: Service,
  file: string,
  written: { lines: number; bookings: number; bytes: number },
) {
  const headers = { Authorization: `Bearer ${SERVICE_KEY}`, 'Content-Type': 'application/x-ndjson' }
  const body = await openAsBlob(file)
  const before = await residentBytes()
  let most = before
  let longestMs = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await residentBytes())
      const asked = performance.now()
      await fetch(`${service.url}/v1/operator/health`, { headers }).then((answer) => answer.text())
      longestMs = Math.max(longestMs, performance.now() - asked)
      await new Promise((go) => setTimeout(go, LOOK_MS))
    }
  })()
  const began = performance.now()
  const answer = await fetch(`${service.url}/v1/import?trust=true`, { method: 'POST', headers, body })
  const text = await answer.text()
  const seconds = (performance.now() - began) / 1_000
  isOver = true
  await watching
  return table(
    ['what', 'measured'],
    [
      ['lines, bookings', `${written.lines}, ${written.bookings}`],
      ['file', `${(written.bytes / MB).toFixed(0)} MB`],
      ['answer', `${answer.status} ${answer.status === 201 ? '' : text.slice(0, 200)}`],
      ['time', `${seconds.toFixed(1)} s`],
      ['memory of the whole runtime above what it had', `${((most - before) / MB).toFixed(0)} MB`],
      ['longest that anybody else waited', `${(longestMs / 1_000).toFixed(1)} s`],
    ],
  )
}

/** What the runtimes that this process started hold in memory. */
async function residentBytes(): Promise<number> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '')
  const sizes = children
    .trim()
    .split(' ')
    .filter((pid) => pid !== '')
    .map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024
    })
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

/** Writes an export whose one booking is there again and again, each time at another start. */
async function writeExport({ url, untilQuiet }: Service, path: string, size: number) {
  const { organizationId, eventTypeIds } = await createSubject(url, EVENT_TYPES)
  const starts = freshStarts()
  const { value: start } = starts.next()
  const { id } = await sendJson<{ id: string }>(bookingOf(url, eventTypeIds[0]!, start))
  await untilQuiet()
  const answer = await fetch(`${url}/v1/export`, { headers: asService(organizationId) })
  const lines: Line[] = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const end = lines.pop()!
  const isOfBooking = (line: Line) => line.type !== 'idempotency_keys' && JSON.stringify(line).includes(id)
  const rows: Record<string, number> = {}
  const file = await openFile(path, 'w')
  let [bytes, told, bookings] = [0, 0, 0]
  let piece: string[] = []
  const write = async (line: Line) => {
    const text = `${JSON.stringify(line)}\n`
    bytes += text.length
    told += 1
    if (line.type !== 'export' && line.type !== 'end') rows[line.type] = (rows[line.type] ?? 0) + 1
    piece.push(text)
    if (piece.length < 1_000) return
    await file.write(piece.join(''))
    piece = []
  }
  // The order is that of an export: all rows of one table, then those of the next.
  const types = [...new Set(lines.map(({ type }) => type as string))]
  const each = lines.filter(isOfBooking)
  const perBooking = each.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0)
  const copies = Math.ceil(size / perBooking)
  const ids = Array.from({ length: copies }, () => newIdIn(0))
  for (const type of types) {
    for (const line of lines.filter((one) => one.type === type && !each.includes(one))) await write(line)
    for (const line of each.filter((one) => one.type === type)) {
      for (const [copy, own] of ids.entries()) {
        await write(copyOf(line, { id, own, copy, eventTypeId: eventTypeIds[copy % EVENT_TYPES]! }))
      }
    }
    if (type === 'bookings') bookings = copies
  }
  await write({ ...end, rows })
  await file.write(piece.join(''))
  await file.close()
  return { lines: told, bookings, bytes }
}

type Copy = { readonly id: string; readonly own: string; readonly copy: number; readonly eventTypeId: string }

function copyOf(line: Line, { id, own, copy, eventTypeId }: Copy): Line {
  const copied = JSON.parse(JSON.stringify(line).replaceAll(id, own))
  const shift = Math.floor(copy / EVENT_TYPES) * HALF_HOUR_MS
  for (const name of ['start_time', 'end_time', 'starts_at', 'ends_at', 'next_reminder_at']) {
    if (typeof copied[name] === 'number') copied[name] += shift
  }
  if (copied.type === 'holds') copied.resource_id = eventTypeId
  if (copied.event_type_id) copied.event_type_id = eventTypeId
  if (copied.sequence) copied.sequence = copied.sequence * 1_000_000 + copy
  if (copied.id && copied.id !== own) copied.id = newIdIn(0)
  return copied
}
