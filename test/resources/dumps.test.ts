import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { sweep } from '../../src/jobs/sweep.ts'
import { dumpOrganizations } from '../../src/resources/moves/dump-organizations.ts'
import { bookAsAnother, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { audit, exportOf, forgetEverything, importText, linesOf } from '../support/moves.ts'

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
  const withoutTime = (lines: any[]) => lines.map(({ exported_at: _, last_used_at: __, ...line }) => line)
  expect(withoutTime(linesOf(text))).toEqual(withoutTime(await exportOf(first.liveKey)))
  const before = await audit()
  const both = [text, await dumpOf(now, second.id)]
  await forgetEverything()
  for (const each of both) expect((await importText(each)).status).toBe(201)
  const withoutUse = (tables: object) =>
    JSON.stringify(tables).replaceAll(/\\"last_used_at\\":(\d+|null)/g, '')
  expect(withoutUse(await audit())).toBe(withoutUse(before))
})

it('goes on each minute where it was, and forgets days that are too old', async () => {
  const { id } = await createOrganization()
  const tomorrow = Date.now() + DAY_MS
  await sweep(dumping, tomorrow)
  expect(linesOf(await dumpOf(tomorrow, id)).at(-1)).toMatchObject({ type: 'end' })
  expect(await keysOf(`dumps/DB/${dayOf(Date.now())}/`)).not.toEqual([])
  await sweep(dumping, tomorrow + 2 * DAY_MS)
  expect(await keysOf(`dumps/DB/${dayOf(Date.now())}/`)).toEqual([])
  expect(await keysOf(`dumps/DB/${dayOf(tomorrow)}/`)).not.toEqual([])
})

it('writes nothing where no bucket is bound', async () => {
  expect(await dumpOrganizations(env as Env, Date.now())).toBe(false)
})
