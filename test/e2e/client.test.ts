import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { askService } from '../support/ask-service.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { lastingPort } from '../support/lasting-port.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { SERVICE_KEY, type Service, startService } from '../support/service.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'client')
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const PATIENT = { timeout: 30_000 }
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

let directory: string
let app: string
let service: Service
let receiver: Receiver
let organizationId: string
let key: string
let testKey: string

const run = promisify(execFile)

function call(method: string, path: string, body?: unknown, bearer = key) {
  return askService(service.url, method, path, body, bearer)
}

async function newKey(mode: 'live' | 'test'): Promise<string> {
  const headers = { 'X-Org-Id': organizationId, 'X-Service-Mode': mode }
  const input = { name: 'Client', mode }
  return (await askService(service.url, 'POST', '/v1/api-keys', input, SERVICE_KEY, headers)).key
}

async function newEventType(bearer: string): Promise<string> {
  const slug = `e-${randomUUID()}`
  const { id } = await call('POST', '/v1/event-types', { title: 'Call', slug, duration_minutes: 30 }, bearer)
  await call('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY }, bearer)
  return id
}

async function book(eventTypeId: string, hour: number, bearer: string): Promise<string> {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const { id } = await call(
    'POST',
    '/v1/bookings',
    {
      event_type_id: eventTypeId,
      start_time: `${day}T${String(hour).padStart(2, '0')}:00:00Z`,
      invitee_name: 'Grace Hopper',
      invitee_email: 'grace@example.com',
    },
    bearer,
  )
  return id
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-client-'))
  app = join(directory, 'app')
  await mkdir(app)
  await run(process.execPath, ['src/local/build-client.ts'], { cwd: ROOT })
  const packed = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory], {
    cwd: CLIENT,
  })
  await writeFile(join(app, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', join(directory, packed.stdout.trim())], {
    cwd: app,
  })
  service = await startService(await takeBuilt(join(directory, 'state')), join(directory, 'state'))
  receiver = await startReceiver()
  const named = { name: 'Client', owner_user_id: randomUUID() }
  organizationId = (await call('POST', '/v1/organizations', named, SERVICE_KEY)).id
  await call('PATCH', `/v1/organizations/${organizationId}`, { tier: 'scale' }, SERVICE_KEY)
  ;[key, testKey] = [await newKey('live'), await newKey('test')]
})

afterAll(async () => {
  await service?.kill()
  await receiver?.stop()
  await rm(directory, { recursive: true, force: true })
})

/** The samples of the package's own page, in order. */
async function samples(language = 'ts'): Promise<string[]> {
  const text = await readFile(join(CLIENT, 'README.md'), 'utf8')
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter(([, written]) => written === language)
    .map(([, , code]) => code!)
}

const environment = (more: Record<string, string> = {}) => ({
  ...process.env,
  HOLDFAST_BASE_URL: service.url.replace(/\/$/, ''),
  HOLDFAST_KEY: key,
  ...more,
})

async function runSample(name: string, code: string, more?: Record<string, string>): Promise<string> {
  await writeFile(join(app, name), code)
  return (await run(process.execPath, [name], { cwd: app, env: environment(more) })).stdout
}

/** What the compiler reports about the files in a directory. */
async function compile(directory: string, include: readonly string[], more: object = {}): Promise<string> {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: false,
    lib: ['es2023', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    paths: {
      react: [join(ROOT, 'node_modules/@types/react/index.d.ts')],
      'react/jsx-runtime': [join(ROOT, 'node_modules/@types/react/jsx-runtime.d.ts')],
    },
    ...more,
  }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  return (await run(process.execPath, [compiler, '-p', directory]).catch((failure) => failure)).stdout
}

it('installs from its package without a network, and brings nothing else along', async () => {
  expect(await readdir(join(app, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@holdfast'])
  expect(await readdir(join(app, 'node_modules/@holdfast/client'))).toEqual([
    'README.md',
    'dist',
    'package.json',
    'react',
  ])
})

it('books, walks lists, changes bookings and verifies webhooks as its own page shows', async () => {
  const [booking, list, change, hook] = await samples()
  const eventTypeId = await newEventType(key)
  expect(await runSample('book.ts', booking!, { EVENT_TYPE_ID: eventTypeId })).toMatch(
    /^confirmed \d{4}-\d\d-\d\dT/,
  )
  expect(await runSample('list.ts', list!)).toMatch(/Z Ada Lovelace\n$/)

  const [booked] = (await call('GET', '/v1/bookings', undefined, key)).data
  expect(await runSample('change.ts', change!, { BOOKING_ID: booked.id })).toBe('Ada King 1\nrescheduled\n')

  const port = String(await lastingPort())
  await writeFile(join(app, 'hook.ts'), hook!)
  const child = spawn(process.execPath, ['hook.ts'], {
    cwd: app,
    env: environment({ PORT: port, HOLDFAST_WEBHOOK_SECRET: SECRET }),
  })
  let heard = ''
  child.stdout.on('data', (chunk) => {
    heard += chunk
  })
  try {
    await vi.waitFor(() => fetch(`http://127.0.0.1:${port}`), PATIENT)
    const endpoint = await call('POST', '/v1/webhooks', {
      url: `http://127.0.0.1:${port}`,
      events: ['*'],
      secret: SECRET,
    })
    expect(endpoint.verification_status).toBe('verified')
    const sent = await call('POST', `/v1/webhooks/${endpoint.id}/test`, { event: 'booking.created' })
    expect(sent.success).toBe(true)
    await expect.poll(() => heard).toBe(`booking.created ${sent.payload.data.id}\n`)
    const forged = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(401)
  } finally {
    child.kill()
  }
})

it('compiles the samples of its page, and finds mistakes in them', async () => {
  await Promise.all(
    (await samples()).map((code, at) => writeFile(join(app, `sample-${at}.ts`), `${code}\nexport {}\n`)),
  )
  const [component] = await samples('tsx')
  await writeFile(join(app, 'sample-component.tsx'), component!)
  await writeFile(
    join(app, 'mistakes-component.tsx'),
    `import { BookingPage } from '@holdfast/client/react'
const place = { baseUrl: '', org: 'acme' }
// @ts-expect-error a page is somebody's
export const nobodys = <BookingPage baseUrl="" />
// @ts-expect-error there is no such look
export const pink = <BookingPage {...place} theme="pink" />
// @ts-expect-error a site hears of no token
export const told = <BookingPage {...place} onBooked={({ token }) => console.log(token)} />
`,
  )
  await writeFile(
    join(app, 'mistakes.ts'),
    `import { createClient, paginate, type Event } from '@holdfast/client'
const api = createClient({ baseUrl: '' })
// @ts-expect-error an invitee has an email
api.POST('/v1/bookings', { body: { event_type_id: '', start_time: '', invitee_name: '' } })
// @ts-expect-error there is no such path
api.GET('/v1/bookingz')
// @ts-expect-error an id is needed
api.GET('/v1/bookings/{id}')
// @ts-expect-error there is no such status
api.GET('/v1/bookings', { params: { query: { status: ['done'] } } })
// @ts-expect-error one booking is no list
paginate(api, '/v1/bookings/{id}')
const { data, error } = await api.POST('/v1/bookings', {
  body: { event_type_id: '', start_time: '', invitee_name: '', invitee_email: '' },
})
// @ts-expect-error where there is a booking, there is no error
if (data) error.error
// @ts-expect-error no such code
if (error?.error.code === 'no_such_code') throw error
if (error?.error.code === 'no_host_available') error.error.details.hosts_checked satisfies number
declare const event: Event
// @ts-expect-error only a rescheduled booking was somewhere before
event.previous
`,
  )
  expect(await compile(app, ['sample-*', 'mistakes*'])).toBe('')
})

it('is required by CommonJS packages, with its types', async () => {
  const from = join(directory, 'commonjs')
  await mkdir(from)
  await symlink(join(app, 'node_modules'), join(from, 'node_modules'))
  await writeFile(join(from, 'package.json'), '{ "type": "commonjs", "private": true }')
  await writeFile(
    join(from, 'main.ts'),
    `import { createClient, HoldfastError } from '@holdfast/client'
import type { BookingPage } from '@holdfast/client/react'
const api = createClient({ baseUrl: '' })
// @ts-expect-error there is no such path
export const never = () => api.GET('/v1/bookingz')
// @ts-expect-error a page belongs to an organization
export const page: Parameters<typeof BookingPage>[0] = { baseUrl: '' }
console.log(typeof api.POST, HoldfastError.name)
`,
  )
  expect(await compile(from, ['main.ts'], { module: 'node16', noEmit: false })).toBe('')
  expect((await run(process.execPath, ['main.js'], { cwd: from })).stdout).toBe('function HoldfastError\n')
})

it('shows booking pages as its own page shows; without a script they are links', async () => {
  const [sample] = await samples('tsx')
  await writeFile(join(app, 'contact.tsx'), sample!)
  const { outputFiles } = await build({
    stdin: {
      contents: `import { renderToStaticMarkup } from 'react-dom/server'
        import { Contact } from './contact.tsx'
        console.log(renderToStaticMarkup(<Contact baseUrl="https://book.example.com/" />))`,
      loader: 'tsx',
      resolveDir: app,
    },
    bundle: true,
    platform: 'node',
    jsx: 'automatic',
    nodePaths: [join(ROOT, 'node_modules')],
    write: false,
  })
  await writeFile(join(app, 'shown.cjs'), outputFiles[0]!.contents)
  expect((await run(process.execPath, ['shown.cjs'], { cwd: app })).stdout.trim()).toBe(
    '<div><a href="https://book.example.com/book/acme/intro-call">Book a time</a><div></div></div>' +
      '<a href="https://book.example.com/book/acme/intro-call?lang=de">Termin buchen</a>',
  )
})

it.each([
  ["export { createClient } from '@holdfast/client'", 4],
  ["export { createClient, paginate } from '@holdfast/client'", 5],
  ["export { verifyWebhook } from '@holdfast/client'", 2],
])('leaves out unused code: %s takes less than %i KiB', async (contents, kib) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: app },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  expect(outputFiles[0]!.contents.byteLength).toBeLessThan(kib * 1024)
})

it('posts the events of a sandbox to this machine, and continues after an interruption', async () => {
  const url = `${receiver.url}/${randomUUID()}`
  // What was taken just before the cut may be posted again: its id says so.
  const received = async () => {
    const all = ((await (await fetch(url)).json()) as Received[]).map(({ headers, body }) => ({
      headers,
      body: JSON.parse(body),
    }))
    return all.filter(({ body }, at) => all.findIndex((one) => one.body.id === body.id) === at)
  }
  const eventTypeId = await newEventType(testKey)
  const args = ['node_modules/.bin/holdfast', 'listen', url, '--after', '0']
  const listening = (given: readonly string[]) => {
    const child = spawn(process.execPath, given, {
      cwd: app,
      env: environment({ HOLDFAST_KEY: testKey, HOLDFAST_WEBHOOK_SECRET: SECRET }),
      stdio: 'ignore',
    })
    return { end: () => child.kill('SIGKILL'), gone: new Promise((done) => child.once('exit', done)) }
  }
  const ids = [await book(eventTypeId, 9, testKey)]
  const first = listening(args)
  await vi.waitFor(async () => expect(await received()).toHaveLength(1), PATIENT)
  first.end()
  await first.gone
  for (const hour of [10, 11]) ids.push(await book(eventTypeId, hour, testKey))
  const second = listening(args.slice(0, 3))
  try {
    await vi.waitFor(async () => expect(await received()).toHaveLength(3), PATIENT)
  } finally {
    second.end()
    await second.gone
  }
  const all = await received()
  expect(all.map(({ body }) => body.data.id)).toEqual(ids)
  const { verifyWebhook } = await import(join(CLIENT, 'dist/index.js'))
  for (const { headers, body } of all) {
    expect(await verifyWebhook(JSON.stringify(body), headers, SECRET)).toEqual(body)
  }
})

it('remembers where listening began, though nothing was received yet', async () => {
  const state = join(app, 'began.json')
  const args = [
    'node_modules/.bin/holdfast',
    'listen',
    'http://localhost:1',
    '--after',
    '7',
    '--state',
    state,
  ]
  const env = environment({ HOLDFAST_KEY: testKey, HOLDFAST_WEBHOOK_SECRET: SECRET })
  const child = spawn(process.execPath, args, { cwd: app, env, stdio: 'ignore' })
  try {
    await vi.waitFor(
      async () => expect(Object.values(JSON.parse(await readFile(state, 'utf8')))).toEqual([7]),
      PATIENT,
    )
  } finally {
    child.kill('SIGKILL')
  }
})

it.each(['null', '[1]', '7', 'not JSON'])('starts over if its file has no positions but %s', async (held) => {
  const state = join(app, 'held.json')
  await writeFile(state, held)
  const listen = ['node_modules/.bin/holdfast', 'listen', 'http://localhost:1', '--state', state]
  const env = environment({ HOLDFAST_KEY: testKey, HOLDFAST_WEBHOOK_SECRET: SECRET })
  const child = spawn(process.execPath, [...listen, '--base-url', 'http://localhost:1'], { cwd: app, env })
  let said = ''
  child.stdout.on('data', (words) => {
    said += words
  })
  try {
    await vi.waitFor(() => expect(said).toContain('Could not read the feed'), PATIENT)
  } finally {
    child.kill('SIGKILL')
  }
})

it('refuses to listen with a live key', async () => {
  const told = await run(process.execPath, ['node_modules/.bin/holdfast', 'listen', 'http://localhost:1'], {
    cwd: app,
    env: environment(),
  }).catch((failure) => failure)
  expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('Only a test key')])
})
