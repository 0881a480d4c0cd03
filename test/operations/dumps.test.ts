import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { dumpOrganizations } from '../../src/operations/moves/dump-organizations.ts'
import { putOffEvents } from '../../src/outbox/events/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { bookAsAnother, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { audit, exportOf, forgetEverything, importText, linesOf, textOf } from '../support/moves.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const bucket = (env as unknown as { readonly BUCKET: R2Bucket }).BUCKET
const dumping = { ...env, DUMPS: bucket, DUMP_DAYS: '2' } as Env

async function keysOf(prefix: string): Promise<string[]> {
  return (await bucket.list({ prefix })).objects.map(({ key }) => key)
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}

/** What a day's dump says of an organization. */
async function dumpOf(now: number, id: string): Promise<string> {
  const parts = await keysOf(`dumps/DB/${dayOf(now)}/${id}/`)
  return (await Promise.all(parts.map(async (key) => (await bucket.get(key))!.text()))).join('')
}

it('writes every organization in few pages a run, once a day, and restores it from there', async () => {
  const [first, second] = [await createOrganization(), await createOrganization()]
  const { id } = await createEventType(first.liveKey)
  await bookAsAnother(id, dayFromNow(3) + 9 * HOUR_MS)
  await new Promise((done) => setTimeout(done, 2_000))
  const now = Date.now()
  let runs = 0
  while (await dumpOrganizations(dumping, now, 7)) runs += 1
  expect(runs).toBeGreaterThan(3)
  expect((await keysOf(`dumps/DB/${dayOf(now)}/${first.id}/`)).length).toBeGreaterThan(3)

  const text = await dumpOf(now, first.id)
  // The export is in its own log.
  const likeDump = (lines: any[]) =>
    lines
      .filter(({ type, action }) => type !== 'end' && action !== 'organization.exported')
      .map(({ exported_at: _, last_used_at: __, ...line }) => line)
  const before = await audit()
  expect(likeDump(linesOf(text))).toEqual(likeDump(await exportOf(first.liveKey)))
  const both = [text, await dumpOf(now, second.id)]
  await forgetEverything()
  for (const each of both) expect((await importText(each)).status).toBe(201)
  const withoutUse = (tables: object) =>
    JSON.stringify(tables).replaceAll(/\\"last_used_at\\":(\d+|null)/g, '')
  expect(withoutUse(await audit())).toBe(withoutUse(before))
})

it('restores an event that waits for its next attempt, at a whole millisecond, even if that had a fraction', async () => {
  const { id: organizationId, liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey)
  await bookAsAnother(id, dayFromNow(3) + 9 * HOUR_MS)
  const retryAt = () =>
    env.DB.prepare('SELECT retry_at FROM events WHERE organization_id = ?').bind(organizationId)
  const events = await env.DB.prepare('SELECT id FROM events WHERE organization_id = ?')
    .bind(organizationId)
    .all<{ id: string }>()
  const ids = events.results.map((event) => event.id)
  const now = Date.now()
  // Of three of them a quarter of what has passed since is no whole number.
  for (const past of [1, 2, 3, 4]) {
    await putOffEvents(openDb(env, 'decide'), ids, (now + past) as RealMs)
    expect(Number.isSafeInteger(await retryAt().first('retry_at'))).toBe(true)
  }
  await env.DB.prepare('UPDATE events SET retry_at = 12.75 WHERE organization_id = ?')
    .bind(organizationId)
    .run()
  const text = textOf(await exportOf(liveKey))
  await forgetEverything()
  expect((await importText(text)).status).toBe(201)
  expect(await retryAt().first('retry_at')).toBe(12)
})

it('continues each minute where it was, and deletes days that are too old', async () => {
  stayInOneMinute()
  const { id } = await createOrganization()
  const tomorrow = Date.now() + DAY_MS
  await sweep(dumping, tomorrow)
  expect(linesOf(await dumpOf(tomorrow, id)).at(-1)).toMatchObject({ type: 'end' })
  expect(await keysOf(`dumps/DB/${dayOf(Date.now())}/`)).not.toEqual([])
  await sweep(dumping, tomorrow + 2 * DAY_MS)
  expect(await keysOf(`dumps/DB/${dayOf(Date.now())}/`)).toEqual([])
  expect(await keysOf(`dumps/DB/${dayOf(tomorrow)}/`)).not.toEqual([])
})

it('writes nothing if no bucket is bound', async () => {
  expect(await dumpOrganizations(env as Env, Date.now())).toBe(false)
})
