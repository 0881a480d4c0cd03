import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { providerEvent, WEBHOOK_SECRET } from '../support/provider-events.ts'
import { ENCRYPTION_KEY, openRuntime, SERVICE_KEY } from '../support/service.ts'

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
let old: { readonly runtime: Runtime; readonly url: string; readonly bundle: string; readonly state: string }
let young: typeof old

async function open(name: string) {
  const state = join(directory, name)
  return start(await takeBuilt(state), state, { DUMP_DAYS: '14' })
}

async function start(bundle: string, state: string, settings: Readonly<Record<string, string>>) {
  const buckets = { r2Buckets: { DUMPS: 'holdfast-dumps' } } as never
  const runtime = await openRuntime(bundle, state, [], undefined, settings, buckets)
  return { runtime, url: (await runtime.ready).origin, bundle, state }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-operating-'))
  guide = await readFile(join(ROOT, 'docs/operating.md'), 'utf8')
  old = await open('old')
  young = await open('new')
})

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

it('restores a customer from the dump of a day with the commands of the guide', async () => {
  const { id, key, booking } = await makeCustomer('restored')
  const tomorrow = Date.now() + DAY_MS
  await fetch(`${old.url}/cdn-cgi/local/scheduled?time=${tomorrow}`)
  const day = new Date(tomorrow).toISOString().slice(0, 10)
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

it('moves a customer, and erases a person there, with the commands of the guide', async () => {
  const { id, key, booking } = await makeCustomer('moved')
  const names = { id, OLD_SERVICE_KEY: SERVICE_KEY, NEW_SERVICE_KEY: SERVICE_KEY }
  const move = printed('Moving an organization to another deployment', '/v1/operator/moves/')
    .replace(/^OLD=.*$/m, `OLD=${old.url}`)
    .replace(/^NEW=.*$/m, `NEW=${young.url}`)
    .replace('sleep 60', 'sleep 2')
  const [standing, end, taken] = (await run(move, names)).map((line) => JSON.parse(line))
  expect([standing.organization_id, end.changed_meanwhile, taken.organization_id]).toEqual([id, false, id])
  expect((await found(young, key, booking.id)).status).toBe(200)

  const erase = printed('Erasing a person, and exporting a person’s data', '/v1/people/')
  const person = { BASE_URL: young.url, KEY: key }
  const [kept, erased] = (await run(erase, person)).map((line) => JSON.parse(line))
  expect([kept.bookings.length, erased.erased.bookings]).toEqual([1, 1])
  expect((await found(young, key, booking.id)).body.invitee_email).toBe('')
})

it('suspends a customer with the commands of the guide', async () => {
  const { id, input, ours } = await makeCustomer('suspended')
  const lines = printed('Suspending an organization', 'suspended')
  const said = await run(lines, { id, BASE_URL: old.url, SERVICE_KEY })
  expect(JSON.parse(said[0]!).id).toBe(id)
  expect((await call('POST', '/v1/bookings', input, ours)).error.code).toBe('org_suspended')
})

it('keeps running while its secrets are rotated as the guide says', async () => {
  const { input, ours } = await makeCustomer('rotated')
  const start_time = new Date(Date.parse(input.start_time) + DAY_MS).toISOString()
  const book = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...ours }
    const response = await fetch(`${old.url}/v1/bookings`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': 'rotated' },
      body: JSON.stringify({ ...input, start_time }),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const hear = async (secret: string) => {
    const event = await providerEvent('balance.available', { object: 'balance' }, { secret })
    return (await fetch(`${old.url}/v1/payment-provider/webhook`, { method: 'POST', ...event })).status
  }
  const restart = async (settings: Readonly<Record<string, string>>) => {
    await old.runtime.dispose()
    old = await start(old.bundle, old.state, { STRIPE_SECRET_KEY: 'sk_test_double', ...settings })
  }
  const NEW = { service: 'n'.repeat(40), encryption: 'e'.repeat(40), stripe: 'whsec_new' }
  const ENCRYPTION = { ENCRYPTION_KEY: `${NEW.encryption},${ENCRYPTION_KEY}` }

  await restart({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET })
  const first = await book(SERVICE_KEY)
  expect([first.status, await hear(WEBHOOK_SECRET), await hear(NEW.stripe)]).toEqual([201, 200, 400])

  const both = { SERVICE_KEY: `${NEW.service},${SERVICE_KEY}` }
  await restart({ ...ENCRYPTION, ...both, STRIPE_WEBHOOK_SECRET: `${NEW.stripe},${WEBHOOK_SECRET}` })
  expect([await book(SERVICE_KEY), await book(NEW.service)]).toEqual([first, first])
  expect([await hear(WEBHOOK_SECRET), await hear(NEW.stripe)]).toEqual([200, 200])

  await restart({ ...ENCRYPTION, SERVICE_KEY: NEW.service, STRIPE_WEBHOOK_SECRET: NEW.stripe })
  expect([(await book(SERVICE_KEY)).status, await book(NEW.service)]).toEqual([401, first])
  expect([await hear(WEBHOOK_SECRET), await hear(NEW.stripe)]).toEqual([400, 200])
  const { id, cancel_token } = first.body
  const cancelled = await fetch(`${old.url}/v1/bookings/${id}/cancel?token=${cancel_token}`, {
    method: 'POST',
  })
  expect(cancelled.status).toBe(200)
})
