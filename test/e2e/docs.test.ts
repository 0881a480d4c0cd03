import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openCalcom } from '../../doubles/calcom/open-calcom.ts'
import { openCalendly } from '../../doubles/calendly/open-calendly.ts'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { EVENT_KINDS } from '../../src/platform/db/schema/records.ts'
import { ERRORS } from '../../src/platform/reasons/error-codes.ts'
import { askService } from '../support/ask-service.ts'
import { launchBrowser, newVisitor } from '../support/browser.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount } from '../support/chance.ts'
import { lastingPort } from '../support/lasting-port.ts'
import { drawForReadme } from '../support/picture.ts'
import { SERVICE_KEY, type Service, startService } from '../support/service.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const GUIDES = [
  'first-booking',
  'webhooks',
  'embedding',
  'changing-bookings',
  'series',
  'teams',
  'importing',
  'export',
  'places',
  'rooms',
  'email-texts',
  'holidays',
  'agents',
  'going-live',
  'open-times',
  'booking-states',
  'holds',
  'waitlist',
  'where-data-is',
]
const PAGES = ['', ...['errors', 'events', 'compatibility', ...GUIDES].map((name) => `/${name}`)]
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))
const PATIENT = { timeout: 30_000 }
const run = promisify(execFile)

/** Its day is over, so that it closes nothing for the other samples. */
const FEED_OF_HOLIDAYS = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Acme//EN', 'BEGIN:VEVENT', 'UID:new-year'],
  ...['DTSTAMP:20200101T000000Z', 'DTSTART;VALUE=DATE:20200101', 'SUMMARY:New year', 'TRANSP:TRANSPARENT'],
  ...['END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

let directory: string
let service: Service
let base: string
let browser: Browser
let feedServer: Server
let feeds: string
let schedulers: Doubles
let organization: { id: string; slug: string }
let key: string
let testKey: string

function call(method: string, path: string, body?: unknown, bearer = SERVICE_KEY, headers = {}) {
  return askService(base, method, path, body, bearer, headers)
}

async function newKey(mode: 'live' | 'test'): Promise<string> {
  const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': mode }
  return (await call('POST', '/v1/api-keys', { name: 'Docs', mode }, SERVICE_KEY, headers)).key
}

/** Its owner is a person that the doubles of other schedulers know. */
async function keyOfNewOrganization(): Promise<string> {
  const owner = { owner_user_id: randomUUID(), owner_email: 'ada.berger@example.com' }
  const { id } = await call('POST', '/v1/organizations', { name: 'Import', ...owner })
  await call('PATCH', `/v1/organizations/${id}`, { tier: 'scale' })
  return (await call('POST', '/v1/api-keys', { name: 'Docs' }, SERVICE_KEY, { 'X-Org-Id': id })).key
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-docs-'))
  const state = join(directory, 'state')
  schedulers = await startDoubles({ calendly: openCalendly, calcom: openCalcom })
  service = await startService(await takeBuilt(state), state, '', {
    CALENDLY_API_BASE: `${schedulers.url}/calendly/docs`,
    CALCOM_API_BASE: `${schedulers.url}/calcom/docs/v2`,
  })
  base = service.url.replace(/\/$/, '')
  browser = await launchBrowser()
  feedServer = createServer((_, response) => response.end(FEED_OF_HOLIDAYS)).listen(0, '127.0.0.1')
  await once(feedServer, 'listening')
  feeds = `http://127.0.0.1:${(feedServer.address() as { port: number }).port}`
  organization = await call('POST', '/v1/organizations', { name: 'Acme', owner_user_id: randomUUID() })
  await call('PATCH', `/v1/organizations/${organization.id}`, { tier: 'scale' })
  ;[key, testKey] = [await newKey('live'), await newKey('test')]
  const { id } = await call(
    'POST',
    '/v1/event-types',
    { title: 'Intro call', slug: 'intro-call', duration_minutes: 30, booking_page_enabled: true },
    key,
  )
  await call('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY }, key)
})

afterAll(async () => {
  await browser?.close()
  feedServer?.close()
  await service?.kill()
  await schedulers?.stop()
  await rm(directory, { recursive: true, force: true })
})

const PROGRAMS: Readonly<Record<string, string>> = { sh: 'bash', py: 'python3' }
/** Where tests decide what is released, Python must be there. */
const hasPython = process.env.CI !== undefined || spawnSync('python3', ['--version']).status === 0

type Sample = { readonly language: string; readonly file: string; readonly code: string }

/** The samples of a guide that have a name of their own, which are those to be run. */
async function samplesOf(guide: string): Promise<Sample[]> {
  const text = await (await fetch(`${base}/docs/${guide}.md`)).text()
  return [...text.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(([, language, file, code]) => ({
    language: language!,
    file: file!,
    code: code!,
  }))
}

async function namedSamples(guide: string): Promise<ReadonlyMap<string, Sample>> {
  return new Map((await samplesOf(guide)).map((each) => [each.file, each]))
}

async function runSample({ language, file, code }: Sample, more: Record<string, string> = {}) {
  await writeFile(join(directory, file), code)
  const program = PROGRAMS[language] ?? process.execPath
  const env = { ...process.env, HOLDFAST_URL: base, HOLDFAST_KEY: testKey, ...more }
  return (await run(program, [file], { cwd: directory, env })).stdout
}

/** Each page links to all others, which are requested once: callers without a key are limited. */
const requested = new Map<string, Promise<string>>()
function textAt(path: string): Promise<string> {
  const known = requested.get(path)
  if (known) return known
  const text = fetch(base + path).then(async (response) => {
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  })
  requested.set(path, text)
  return text
}

describe('the documentation', () => {
  it.runIf(process.env.UPDATE_SCREENSHOT)('is drawn for the README', async () => {
    await drawForReadme('docs', browser, `${base}/docs/first-booking`, async () => {}, 760)
  })

  it.each(PAGES)('has a page at /docs%s, like all other pages, without broken links', async (path) => {
    const response = await fetch(`${base}/docs${path}`)
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(html).toMatch(/<h1 id=/)
    expect(html).not.toContain('{base}')
    // The renderer knows no tables.
    expect(html).not.toContain('| ---')
    expect(html.replace(/<figure>.*?<\/figure>/gs, '')).not.toContain('**')
    const links = [...html.matchAll(/href="(\/(?:docs|v1|llms)[^"#]*)(?:#([^"]*))?"/g)]
    expect(links.length).toBeGreaterThan(3)
    for (const [, to, anchor] of links) {
      const text = await textAt(to!)
      if (anchor) expect([to, anchor, text.includes(`id="${anchor}"`)]).toEqual([to, anchor, true])
    }
    const markdown = await fetch(`${base}/docs${path || '/index'}.md`)
    expect([markdown.status, markdown.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
  })

  it('has the reference in short as Markdown, also for programs that prefer it', async () => {
    const markdown = await fetch(`${base}/docs/reference.md`)
    expect([markdown.status, markdown.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
    const preferred = await fetch(`${base}/docs/reference`, { headers: { accept: 'text/markdown' } })
    const text = await markdown.text()
    expect(text).toContain('`POST /v1/bookings`')
    expect(await preferred.text()).toBe(text)
  })

  it('has no other page', async () => {
    for (const path of ['/docs/nope', '/docs/nope.md', '/docs/reference/nope']) {
      expect([path, (await fetch(base + path)).status]).toEqual([path, 404])
    }
  })

  it('explains every code at its `doc_url`, and shows every kind of event completely', async () => {
    const errors = await (await fetch(`${base}/docs/errors`)).text()
    for (const code of Object.keys(ERRORS)) expect(errors).toContain(`<h2 id="${code}">`)
    const refused = (await (await fetch(`${base}/v1/me/organizations`)).json()) as any
    expect(new URL(refused.error.doc_url).hash).toBe('#unauthorized')
    const { pathname } = new URL(refused.error.doc_url)
    expect((await fetch(base + pathname)).status).toBe(200)

    const events = await (await fetch(`${base}/docs/events.md`)).text()
    const payloads = [...events.matchAll(/^## (\S+)\n[\s\S]*?```json\n([\s\S]*?)```/gm)]
    expect(payloads.map(([, kind]) => kind)).toEqual([...EVENT_KINDS])
    for (const [, kind, payload] of payloads) {
      expect(JSON.parse(payload!)).toMatchObject({ event: kind, sequence: expect.any(Number), data: {} })
    }
  })

  it('shows the reference without external resources, and breaks no rule of its policy', async () => {
    const page = await browser.newPage()
    const told: string[] = []
    page.on('console', (message) => message.type() === 'error' && told.push(message.text()))
    page.on('pageerror', (error) => told.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith('data:')) told.push(request.url())
    })
    const response = await page.goto(`${base}/docs/reference`)
    expect(response!.headers()['content-security-policy']).not.toContain('unsafe')
    await page.getByText('Bookings', { exact: true }).first().waitFor()
    for (const place of ['operations/createBooking', 'operations/listBookings', 'schemas/Booking']) {
      await page.goto(`${base}/docs/reference#/${place}`)
      await page.getByRole('heading', { level: 1 }).last().waitFor()
    }
    await page.goto(`${base}/docs/reference#/operations/createBooking`)
    await page.getByText('invitee_email').first().waitFor()
    expect(told).toEqual([])
    await page.close()
  })
})

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

describe('a reader of the documentation', () => {
  /** Each page is looked at in one of them, and with `npm run storms` in both. */
  const WAYS = [
    ['desk', {}],
    ['phone', { ...PHONE, colorScheme: 'dark' as const }],
  ] as const

  it.each(PAGES)('finds nothing in the way at /docs%s, at a desk or on a phone', async (path) => {
    const name = `docs${path.replace('/', '-')}`
    const turn = PAGES.indexOf(path) % amount(2, 1)
    for (const [where, device] of WAYS.filter((_, way) => way % amount(2, 1) === turn)) {
      const { page, look, leave } = await newVisitor(browser, device)
      await page.goto(`${base}/docs${path}`)
      await look(`${name}-${where}`)
      await leave()
    }
  })

  it('gets from a guide to a code by touch, and reads a long sample without moving the page', async () => {
    const { page, look, leave } = await newVisitor(browser, PHONE)
    await page.goto(`${base}/docs`)
    await page.locator('article').getByRole('link', { name: 'Agents' }).first().tap()
    await page.getByRole('heading', { name: 'With tools' }).waitFor()
    const sample = page.locator('pre:visible').filter({ hasText: 'tools/call' })
    await sample.scrollIntoViewIfNeeded()
    const wide = await sample.evaluate((element: any) => {
      element.scrollLeft = 10_000
      return [element.scrollWidth > element.clientWidth, element.scrollLeft > 0]
    })
    expect(wide).toEqual([true, true])
    await page.getByRole('link', { name: 'conflict' }).first().tap()
    const code = page.getByRole('heading', { name: 'conflict', exact: true })
    await expect.poll(async () => (await code.boundingBox())?.y).toBeLessThan(PHONE.viewport.height)
    await look('docs-error-phone')
    await leave()
  })

  it('has room around the text, copies samples, finds sections and shows the reference in dark', async () => {
    const { page, look, leave } = await newVisitor(browser, { colorScheme: 'dark' })
    await page.goto(`${base}/docs/first-booking`)
    const padding = await page
      .locator('.card.doc')
      .evaluate('getComputedStyle(document.querySelector(".card.doc")).paddingLeft')
    expect(Number.parseFloat(String(padding))).toBeGreaterThanOrEqual(16)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('.doc .copy').first().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('export HOLDFAST_URL')
    await page.getByRole('searchbox').fill('verify')
    await page.locator('.doc-search a').first().waitFor()
    await look('docs-search')
    expect(await page.locator('.doc-search a').first().getAttribute('href')).toContain('/docs')
    await page.getByRole('searchbox').fill('Transfer ownership')
    const found = page.locator('.doc-search a[href*="/docs/reference#/operations/"]').first()
    await found.waitFor()
    expect(await found.textContent()).toContain('POST /v1/organizations')
    await page.goto(`${base}/docs/reference`)
    await page.locator('html[data-theme="dark"]').waitFor()
    await leave()
  })

  it('chooses the language of samples once for all pages', async () => {
    const { page, look, leave } = await newVisitor(browser)
    await page.goto(`${base}/docs/first-booking`)
    expect(await page.getByRole('tab').allTextContents()).toEqual(['curl', 'TypeScript', 'Python'])
    const shown = page.locator('figure:visible figcaption')
    expect(await shown.allTextContents()).toEqual(['first-booking.sh'])
    await page.getByRole('tab', { name: 'Python' }).click()
    expect(await shown.allTextContents()).toEqual(['first-booking.py'])
    await look('docs-tabs')
    await page.goto(`${base}/docs/webhooks`)
    await page.getByRole('tab', { name: 'Python', selected: true }).first().waitFor()
    expect(await shown.allTextContents()).toContain('receiver.py')
    expect(await shown.allTextContents()).not.toContain('receiver.ts')
    await leave()
  })

  it('sees a diagram on each page about how it works, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, look, leave } = await newVisitor(browser, { colorScheme })
      for (const name of ['open-times', 'booking-states', 'holds', 'waitlist', 'where-data-is', 'webhooks']) {
        await page.goto(`${base}/docs/${name}`)
        const image = page.locator('.doc img')
        await expect.poll(() => image.evaluate((element: any) => element.naturalWidth)).toBeGreaterThan(100)
        expect((await image.getAttribute('alt'))!.length).toBeGreaterThan(40)
      }
      await look(`docs-diagram-${colorScheme}`)
      await leave()
    }
  })

  it('fills samples with a test key that stays in the tab, and never with a live one', async () => {
    const { page, look, leave } = await newVisitor(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
    await page.goto(`${base}/docs/webhooks`)
    const sample = page.locator('.doc figure').filter({ hasText: '/v1/webhooks' }).first()
    const field = page.getByLabel('Your test key')
    expect(await sample.textContent()).toContain('Bearer $HOLDFAST_KEY')
    await field.fill('hf_live_7Q8R2AQtPWm2upqJwIlP2Vfv')
    await page.getByText('That is a live key').waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    expect([await field.inputValue(), await sample.textContent()]).toEqual([
      '',
      expect.stringContaining('Bearer $HOLDFAST_KEY'),
    ])
    await field.fill('mine')
    await page.getByText('A test key begins with hf_test_.').waitFor()
    const key = 'hf_test_7Q8R2AQtPWm2upqJwIlP2Vfv'
    await field.fill(key)
    expect(await sample.textContent()).toContain(`Bearer ${key}`)
    await look('docs-key')
    await page.goto(`${base}/docs/first-booking`)
    expect(await page.locator('.doc figure').first().textContent()).toContain(`HOLDFAST_KEY=${key}`)
    await field.fill('')
    expect(await page.locator('.doc figure').first().textContent()).toContain('HOLDFAST_KEY=hf_test_…')
    expect(await page.evaluate('JSON.stringify([sessionStorage, localStorage])')).toBe('[{},{}]')
    expect(asked.filter((line) => line.includes(key))).toEqual([])
    for (const guide of ['embedding', 'export', 'importing']) {
      await page.goto(`${base}/docs/${guide}`)
      expect([guide, await field.isVisible()]).toEqual([guide, false])
    }
    await leave()
  })

  it('looks a call up in the reference on a phone', async () => {
    const { page, leave } = await newVisitor(browser, PHONE)
    await page.goto(`${base}/docs/reference#/operations/createBooking`)
    await page.getByText('invitee_email').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await leave()
  })
})

const LANGUAGES = ['sh', 'ts', ...(hasPython ? ['py'] : [])]

type Needs = { readonly eventType?: object; readonly live?: boolean }

/** What the samples of a guide print, in each language, and what they need. */
const PRINTED: readonly [guide: string, lines: readonly RegExp[], needs?: Needs][] = [
  ['holds', [/^held until \d{4}-.+Z$/, /^confirmed$/]],
  ['open-times', [/^6\d\d open times$/, /^the next at \d{4}-.+Z$/, /^midnight is closed: in_past$/]],
  ['waitlist', [/^waiting$/, /^promoted$/], { eventType: { waitlist_enabled: true } }],
  ['series', [/^10 booked$/, /^cancelled$/]],
  ['rooms', [/^Treatment room, unit 1$/]],
  ['teams', [/^round_robin$/, /^required$/]],
  ['changing-bookings', [/^Room 4$/, /^rescheduled to .+T12:00:00.000Z$/], { eventType: { max_guests: 1 } }],
  ['places', [/^12 Analytical Row, London$/]],
  ['holidays', [/^Holidays: all_events$/], { live: true }],
  ['email-texts', [/^See you on \{\{start\}\}$/, /^See you on \w+/], { live: true }],
]

/** What a sample is about: an event type of its own, a booking of it, another start in a week, and a member. */
async function newScene({ eventType, live }: Needs = {}) {
  const { data: members } = await call(
    'GET',
    `/v1/organizations/${organization.id}/members`,
    undefined,
    testKey,
  )
  return {
    ...(await newLesson(testKey, eventType)),
    FEED: `${feeds}/${randomUUID()}.ics`,
    MEMBER: members[0].id,
    ...(live && { HOLDFAST_KEY: key }),
  }
}

async function newLesson(bearer: string, eventType = {}) {
  const input = { title: 'Lesson', slug: `lesson-${randomUUID()}`, duration_minutes: 30, ...eventType }
  const { id } = await call('POST', '/v1/event-types', input, bearer)
  await call('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY }, bearer)
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const [START, earlier] = [12, 11].map((hour) => `${day}T${hour}:00:00.000Z`)
  const person = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }
  const booking = { event_type_id: id, start_time: earlier, ...person }
  const { id: BOOKING } = await call('POST', '/v1/bookings', booking, bearer)
  return { EVENT_TYPE: id, START: START!, BOOKING }
}

describe('the samples of the guides', () => {
  it.each(LANGUAGES)('book a time and cancel it in %s', async (language) => {
    const samples = await samplesOf('first-booking')
    expect(samples.map((each) => each.language)).toEqual(['sh', 'ts', 'py'])
    const sample = samples.find((each) => each.language === language)
    const told = (await runSample(sample!)).trim().split('\n')
    expect(told).toEqual([
      expect.stringMatching(/^\d+ open times, the first at /),
      expect.stringMatching(/^confirmed /),
      'cancelled',
    ])
  })

  it.each(PRINTED)('do the same in each language in the guide /docs/%s', async (guide, lines, needs) => {
    const samples = await samplesOf(guide)
    expect(samples.map((each) => each.language)).toEqual(['sh', 'ts', 'py'])
    for (const sample of samples.filter((each) => LANGUAGES.includes(each.language))) {
      const told = (await runSample(sample, await newScene(needs))).trim().split('\n')
      expect([sample.file, told]).toEqual([sample.file, lines.map((line) => expect.stringMatching(line))])
    }
  })

  it.each(LANGUAGES)('receive, verify and try webhooks in %s, and read the feed', async (language) => {
    const samples = await samplesOf('webhooks')
    const inLanguage = samples.filter((each) => each.language === language)
    const [endpoint, sample, feed] = ['endpoint', 'sample', 'feed'].map((name) =>
      inLanguage.find(({ file }) => file.startsWith(`${name}.`)),
    )
    // No receiver is written in shell.
    const receiver = samples.find(({ file }) => file === `receiver.${language === 'py' ? 'py' : 'ts'}`)
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
    const port = String(await lastingPort())
    await writeFile(join(directory, receiver!.file), receiver!.code)
    const child = spawn(PROGRAMS[receiver!.language] ?? process.execPath, [receiver!.file], {
      cwd: directory,
      env: { ...process.env, PORT: port, HOLDFAST_WEBHOOK_SECRET: secret },
    })
    let heard = ''
    child.stdout.on('data', (chunk) => {
      heard += chunk
    })
    try {
      const url = `http://127.0.0.1:${port}`
      await vi.waitFor(() => fetch(url), PATIENT)
      const more = { HOLDFAST_WEBHOOK_SECRET: secret, WEBHOOK_URL: url }
      const made = JSON.parse(await runSample(endpoint!, more))
      expect(made).toMatchObject({ verification_status: 'verified', events: ['*'] })
      const sent = JSON.parse(await runSample(sample!, { ...more, WEBHOOK_ID: made.id }))
      expect(sent.success).toBe(true)
      // The endpoint hears of everything, also of what was booked just before.
      const line = `booking.created ${sent.payload.data.id}\n`
      await expect.poll(() => heard, PATIENT).toContain(line)
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
      expect(JSON.parse(await runSample(feed!))).toMatchObject({ has_more: expect.any(Boolean) })
    } finally {
      child.kill()
    }
  })

  it.each(LANGUAGES)('book for people as software does, only once, in %s', async (language) => {
    const sample = (await samplesOf('agents')).find(({ file }) => file === `agent.${language}`)
    const told = await runSample(sample!, { BOOKING_PAGE: `/book/${organization.slug}/intro-call` })
    expect(told.trim().split('\n')).toEqual([expect.stringMatching(/^Booked \d{4}-.+Z$/), 'Once'])
  })

  it.each(LANGUAGES)('book by the tools of agents, once, in %s', async (language) => {
    const sample = (await samplesOf('agents')).find(({ file }) => file === `tools.${language}`)
    const told = await runSample(sample!, { BOOKING_PAGE: `/book/${organization.slug}/intro-call` })
    expect(told.trim().split('\n')).toEqual([
      expect.stringMatching(/^Booked \S+T\S+[+]0[12]:00$/),
      'Once',
      'cancelled',
    ])
  })

  it('show settings for agents that lead to the tools that the guide lists', async () => {
    const [settings] = await samplesOf('agents')
    const { url } = JSON.parse(settings!.code).mcpServers.holdfast
    const { pathname } = new URL(url)
    const client = new Client({ name: 'reader', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(base + pathname)) as never)
    const guide = await readFile(join(ROOT, 'public/docs/agents.md'), 'utf8')
    const { tools: listed } = await client.listTools()
    expect(listed.filter(({ name }) => !guide.includes(`\`${name}\``))).toEqual([])
    await client.close()
  })

  it('check the setup before the first day, and say the same in each language', async () => {
    const endpoint = { url: `${base}/v1/test-data/webhook`, events: ['*'] }
    await call('POST', '/v1/webhooks', endpoint, key)
    const samples = (await samplesOf('going-live')).filter(({ language }) => LANGUAGES.includes(language))
    const told = await Promise.all(samples.map((each) => runSample(each, { HOLDFAST_KEY: key })))
    expect(told[0]).toContain('The service is ok, the plan is scale.')
    expect(told[0]).toMatch(/^\d+ bookings are left this month\.\n1 event types can be booked\.$/m)
    expect(told[0]).toContain(`Webhook ${endpoint.url}: `)
    expect(told).toEqual(LANGUAGES.map(() => told[0]))
  })

  it('put a booking page on another site', async () => {
    const samples = await samplesOf('embedding')
    expect(samples.map(({ file }) => file)).toEqual([
      'page.html',
      'popup.html',
      'link.html',
      'call.html',
      'events.html',
    ])
    const here = (code: string) =>
      // The guide names the public address, and this service is elsewhere.
      code.replace(/https?:\/\/[^/"]+/g, base).replaceAll('acme', organization.slug)
    const site: Server = createServer((request, response) => {
      const sample = samples.find(({ file }) => request.url === `/${file}`)
      response.setHeader('Content-Type', 'text/html')
      response.end(`<!doctype html><title>Acme</title>${sample ? here(sample.code) : ''}`)
    })
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    const { port } = site.address() as { port: number }
    try {
      for (const { file } of samples.slice(0, 4)) {
        const page = await browser.newPage()
        await page.goto(`http://127.0.0.1:${port}/${file}`)
        if (file !== 'page.html') await page.getByText('Book a call').first().click()
        await page
          .frameLocator('iframe >> nth=-1')
          .getByRole('heading', { name: 'Intro call' })
          .first()
          .waitFor()
        await page.close()
      }
      const page = await browser.newPage()
      const told: string[] = []
      page.on('console', (message) => told.push(message.text()))
      await page.goto(`http://127.0.0.1:${port}/events.html`)
      await page.evaluate(() =>
        document.dispatchEvent(
          new CustomEvent('holdfast:booked', { detail: { id: 'an-id', start_time: 'a-time' } }),
        ),
      )
      await expect.poll(() => told).toContain('an-id a-time')
      await page.close()
    } finally {
      site.close()
    }
  })

  it('export everything and the upcoming bookings, and say the same in each language', async () => {
    const ofOwner = await keyOfNewOrganization()
    await newLesson(ofOwner)
    const files = await namedSamples('export')
    for (const language of LANGUAGES) {
      for (const file of ['holdfast.ndjson', 'holdfast.ics']) await rm(join(directory, file), { force: true })
      const whole = await runSample(files.get(`export.${language}`)!, { HOLDFAST_KEY: ofOwner })
      expect([language, whole.trim()]).toEqual([language, 'complete'])
      expect(await readFile(join(directory, 'holdfast.ndjson'), 'utf8')).toMatch(
        /^\{"type":"export".+\n\{.+\}\n$/s,
      )
      const upcoming = await runSample(files.get(`calendar-file.${language}`)!, { HOLDFAST_KEY: ofOwner })
      expect([language, upcoming.trim()]).toEqual([language, '1 upcoming bookings'])
      expect(await readFile(join(directory, 'holdfast.ics'), 'utf8')).toContain('Ada Lovelace')
    }
  })

  it.each([
    ['calendly', { token: 'eyJraWQiOiJkb3VibGUifQ.ada.signature' }],
    ['calcom', { api_key: 'cal_live_double_ada' }],
  ])('preview an import from %s, start it and wait for its end, in each language', async (source, secret) => {
    const files = await namedSamples('importing')
    const told: string[] = []
    for (const language of LANGUAGES) {
      const more = {
        HOLDFAST_KEY: await keyOfNewOrganization(),
        SOURCE: source,
        SECRET: JSON.stringify(secret),
      }
      told.push(await runSample(files.get(`import.${language}`)!, more))
    }
    expect(told[0]).toMatch(
      /^would make [1-9]\d*, leave out [1-9]\d*\ndone: \{"schedules":[1-9]\d*,"event_types":[1-9]\d*,"bookings":[1-9]\d*\}\n$/,
    )
    expect(told).toEqual(LANGUAGES.map(() => told[0]))
  })

  it('cover all guides, so that none is forgotten', async () => {
    const counts = await Promise.all(
      GUIDES.map(async (guide) => {
        const text = await readFile(join(ROOT, `public/docs/${guide}.md`), 'utf8')
        return [...text.matchAll(/^```(?!(sh|json)\n)\w+\n/gm)].length
      }),
    )
    // What has no name sets variables in a shell, or is an answer.
    expect(counts).toEqual(GUIDES.map(() => 0))
  })
})
