import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { ENCRYPTION_KEY, openRuntime, SERVICE_KEY } from '../support/service.ts'

const DAY_MS = 86_400_000
const START = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 3 * DAY_MS + 10 * 3_600_000
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

let directory: string
let young: string
let old: string

/** The bundle of the release before, whose event types know no holds: their command has another name. */
async function releaseBefore(bundle: string): Promise<string> {
  const folder = join(directory, 'before')
  await cp(dirname(bundle), folder, { recursive: true })
  const file = join(folder, basename(bundle))
  const text = await readFile(file, 'utf8')
  expect(text).toContain('create_hold')
  await writeFile(file, text.replaceAll('create_hold', 'former_hold'))
  return file
}

/** The Worker of one bundle with the event types of another, as for a while after a deployment. */
async function openMixed(worker: string, objects: string) {
  const {
    modulesRules: _,
    bindings,
    ...options
  } = JSON.parse(await readFile(join(dirname(objects), 'worker-options.json'), 'utf8'))
  const beside = {
    ...options,
    name: 'objects',
    modulesRoot: dirname(objects),
    modules: [{ type: 'ESModule' as const, path: objects }],
    bindings: { ...bindings, SERVICE_KEY, ENCRYPTION_KEY },
    // Both would consume the same queues.
    queueConsumers: {},
  }
  const durableObjects = {
    ...options.durableObjects,
    EVENT_TYPES: { className: 'EventTypeObject', scriptName: 'objects', useSQLite: true },
  }
  const state = join(directory, 'state')
  const runtime = await openRuntime(worker, state, [beside], '', { LOG_LINES: 'off' }, { durableObjects })
  return { url: (await runtime.ready).origin, stop: () => runtime.dispose() }
}

function caller(url: string) {
  return async (method: string, path: string, key: string, body?: unknown, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const retryAfter = response.headers.get('Retry-After')
    return { status: response.status, retryAfter, body: (await response.json()) as any }
  }
}

async function prepare(url: string) {
  const call = caller(url)
  const made = await call('POST', '/v1/organizations', SERVICE_KEY, {
    name: 'Acme',
    owner_user_id: crypto.randomUUID(),
    timezone: 'UTC',
  })
  const headers = { 'X-Org-Id': made.body.id }
  const { body } = await call('POST', '/v1/api-keys', SERVICE_KEY, { name: 'first' }, headers)
  const type = { title: 'Call', slug: 'call', duration_minutes: 30 }
  const { id } = (await call('POST', '/v1/event-types', body.key, type)).body
  await call('PUT', `/v1/event-types/${id}/availability`, body.key, { rules: ALL_DAY })
  return { key: body.key as string, id: id as string }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-deployment-'))
  young = await takeBuilt(join(directory, 'state'))
  old = await releaseBefore(young)
})

afterAll(() => rm(directory, { recursive: true, force: true }))

it.each([
  ['deployment', () => [young, old] as const],
  ['rollback', () => [old, young] as const],
])(
  'a command that the object does not know after a %s is 503 with Retry-After, and works once it does',
  async (_, bundles) => {
    const [worker, objects] = bundles()
    const mixed = await openMixed(worker, objects)
    const { key, id } = await prepare(mixed.url)
    const start_time = new Date(START).toISOString()
    const hold = { event_type_id: id, start_time }
    const sure = { 'Idempotency-Key': crypto.randomUUID() }
    try {
      const refused = await caller(mixed.url)('POST', '/v1/holds', key, hold, sure)
      expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable'])
      expect(Number(refused.retryAfter)).toBeGreaterThan(0)
      // What both know works in the meantime.
      const booking = {
        event_type_id: id,
        start_time: new Date(START + 3_600_000).toISOString(),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
      }
      expect((await caller(mixed.url)('POST', '/v1/bookings', key, booking)).status).toBe(201)
    } finally {
      await mixed.stop()
    }
    const after = await openMixed(worker, worker)
    try {
      expect((await caller(after.url)('POST', '/v1/holds', key, hold, sure)).status).toBe(201)
    } finally {
      await after.stop()
    }
  },
)
