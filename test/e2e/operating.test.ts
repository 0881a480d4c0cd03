import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { openRuntime, SERVICE_KEY } from '../support/service.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DAY_MS = 86_400_000
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

type Runtime = Awaited<ReturnType<typeof openRuntime>>

let directory: string
let guide: string
let old: { readonly runtime: Runtime; readonly url: string; readonly state: string }
let young: typeof old

async function open(name: string) {
  const state = join(directory, name)
  const bundle = await takeBuilt(state)
  const settings = { DUMP_DAYS: '14' }
  const buckets = { r2Buckets: { DUMPS: 'holdfast-dumps' } } as never
  const runtime = await openRuntime(bundle, state, [], undefined, settings, buckets)
  return { runtime, url: (await runtime.ready).origin, state }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-operating-'))
  guide = await readFile(join(ROOT, 'docs/operating.md'), 'utf8')
  old = await open('old')
  young = await open('new')
}, 120_000)

afterAll(async () => {
  await Promise.all([old, young].map((each) => each?.runtime.dispose()))
  await rm(directory, { recursive: true, force: true })
})

/** The block of commands under a heading that says `word`, as it is printed. */
function printed(heading: string, word: string): string {
  const section = guide.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  const block = section
    .split('```sh\n')
    .slice(1)
    .map((text) => text.split('```')[0]!)
    .find((text) => text.includes(word))
  if (!block) throw new Error(`nothing about ${word} is printed under ${heading}`)
  return block
}

/** Runs commands of the guide where an operator would, and gives what they print, line by line. */
async function run(commands: string, names: Readonly<Record<string, string>>): Promise<string[]> {
  const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`, ...names }
  const { stdout } = await promisify(execFile)('sh', ['-c', commands], { cwd: directory, env })
  return stdout.trim().split('\n')
}

async function call(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(old.url + path, {
    method,
    headers: { Authorization: `Bearer ${SERVICE_KEY}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.status === 204 ? null : ((await response.json()) as any)
}

/** An organization with a booking. */
async function makeCustomer(name: string) {
  const { id } = await call('POST', '/v1/organizations', { name, owner_user_id: name })
  await call('PATCH', `/v1/organizations/${id}`, { tier: 'scale' })
  const ours = { 'X-Org-Id': id }
  const { key } = await call('POST', '/v1/api-keys', { name: 'first' }, ours)
  const event = { title: 'Intro', slug: 'intro', duration_minutes: 30, minimum_notice_minutes: 0 }
  const eventType = await call('POST', '/v1/event-types', event, ours)
  await call('PUT', `/v1/event-types/${eventType.id}/availability`, { rules: ALL_DAY }, ours)
  const start_time = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS).toISOString()
  const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
  const input = { event_type_id: eventType.id, start_time, ...invitee }
  const booking = await call('POST', '/v1/bookings', input, ours)
  expect(booking.status).toBe('confirmed')
  return { id, key, booking, input, ours }
}

async function found(place: typeof old, key: string, id: string) {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(`${place.url}/v1/bookings/${id}`, { headers })
  return { status: response.status, body: (await response.json()) as any }
}

it('restores a customer from the dump of a day by the lines of the guide', async () => {
  const { id, key, booking } = await makeCustomer('restored')
  await fetch(`${old.url}/cdn-cgi/local/scheduled?time=${Date.now() + DAY_MS}`)
  const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const lines = printed('Backups, and restoring them', 'r2 object get')
    .replaceAll('npx wrangler', `wrangler --config ${join(ROOT, 'wrangler.toml')}`)
    .replaceAll('--remote', `--local --persist-to ${old.state}`)
  const names = { id, day, NEW: young.url, NEW_SERVICE_KEY: SERVICE_KEY }
  const said = await run(lines, names)
  expect(JSON.parse(said.at(-2)!)).toMatchObject({ type: 'end' })
  expect(JSON.parse(said.at(-1)!)).toMatchObject({ organization_id: id, keeps_tokens: true })
  const { status, body } = await found(young, key, booking.id)
  expect([status, body.start_time]).toEqual([200, booking.start_time])
})

it('moves a customer, and erases a person there, by the lines of the guide', async () => {
  const { id, key, booking } = await makeCustomer('moved')
  const names = { id, OLD_SERVICE_KEY: SERVICE_KEY, NEW_SERVICE_KEY: SERVICE_KEY }
  const move = printed('Moving an organization to another deployment', '/v1/operator/moves/')
    .replace(/^OLD=.*$/m, `OLD=${old.url}`)
    .replace(/^NEW=.*$/m, `NEW=${young.url}`)
    .replace('sleep 60', 'sleep 2')
  const [standing, end, taken] = (await run(move, names)).map((line) => JSON.parse(line))
  expect([standing.organization_id, end.changed_meanwhile, taken.organization_id]).toEqual([id, false, id])
  expect((await found(young, key, booking.id)).status).toBe(200)

  const erase = printed('Erasing a person, and telling what is kept of them', '/v1/people/')
  const person = { BASE_URL: young.url, KEY: key }
  const [kept, erased] = (await run(erase, person)).map((line) => JSON.parse(line))
  expect([kept.bookings.length, erased.erased.bookings]).toEqual([1, 1])
  expect((await found(young, key, booking.id)).body.invitee_email).toBe('')
})

it('suspends a customer by the lines of the guide', async () => {
  const { id, input, ours } = await makeCustomer('suspended')
  const lines = printed('Suspending an organization', 'suspended')
  const said = await run(lines, { id, BASE_URL: old.url, SERVICE_KEY })
  expect(JSON.parse(said[0]!).id).toBe(id)
  expect((await call('POST', '/v1/bookings', input, ours)).error.code).toBe('org_suspended')
})
