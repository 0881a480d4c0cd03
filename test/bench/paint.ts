import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../system/packages.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { asService, createSubject } from './subject.ts'
import { table } from './table.ts'

const ROUNDS = 9
const DAY_MS = 86_400_000
/** The next Monday. */
const WEEK = (Math.floor(Date.now() / DAY_MS) + 7 - ((new Date().getUTCDay() + 6) % 7)) * DAY_MS
/** A good line to a near place: what waits for another answer costs this once more. */
const LINE = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 625_000 }

/** Tells the last of them when it is asked; a page that is left tells no more. */
const WATCH = `globalThis.painted = 0
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) painted = startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })`

type Screen = readonly [name: string, path: string]

/** How long until the largest part of a page is seen, of the booking pages and of the console: Chromium, over a line of 40 ms. */
export async function benchPaint(service: Service): Promise<string[]> {
  const { url } = service
  const { organizationId, eventTypeIds } = await createSubject(url, 3)
  const slug = await book(url, organizationId, eventTypeIds)
  const screens: readonly Screen[] = [
    ['booking page: the list', `/book/${slug}`],
    ['booking page: a month of an event type', `/book/${slug}/bench-0`],
    ['console: sign in', '/console/sign-in'],
    ['console: start', '/console/start'],
    ['console: overview', '/console/overview'],
    ['console: calendar', `/console/calendar?from=${new Date(WEEK).toISOString().slice(0, 10)}`],
    ['console: bookings', '/console/bookings'],
    ['console: event types', '/console/event-types'],
    ['console: the editor', `/console/event-types/${eventTypeIds[0]}`],
    ['console: hours', '/console/hours'],
    ['console: team', '/console/team'],
    ['console: developers', '/console/developers'],
    ['console: settings', '/console/settings'],
  ]
  const browser = await chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: ['--no-sandbox'],
  })
  try {
    const cookies = await signedIn(browser, url, organizationId)
    const rows: string[][] = []
    for (const [name, path] of screens) {
      const [first, again] = await paints(browser, url + path, path.endsWith('sign-in') ? [] : cookies)
      rows.push([name, first.toFixed(0), again.toFixed(0)])
    }
    return table(['Page', 'first visit, ms', 'later, ms'], rows)
  } finally {
    await browser.close()
  }
}

const NAMES = ['Grace Hopper', 'Edith Clarke', 'Radia Perlman', 'Joan Clarke'] as const

/** A week of bookings, so that lists hold something; answers with the slug of the organization. */
async function book(url: string, organizationId: string, eventTypeIds: readonly string[]): Promise<string> {
  const headers = asService(organizationId)
  for (let at = 0; at < 40; at++) {
    const start = WEEK + Math.floor(at / 8) * DAY_MS + (8 + (at % 8)) * 3_600_000
    const body = {
      event_type_id: eventTypeIds[at % eventTypeIds.length],
      start_time: new Date(start).toISOString(),
      invitee_name: NAMES[at % NAMES.length],
      invitee_email: 'a@b.example',
    }
    await sendJson({ method: 'POST', url: `${url}/v1/bookings`, headers, body })
  }
  for (const id of eventTypeIds) {
    const body = { booking_page_enabled: true }
    await sendJson({ method: 'PATCH', url: `${url}/v1/event-types/${id}`, headers, body })
  }
  const path = `/v1/organizations/${organizationId}`
  const { slug } = await sendJson<{ slug: string }>({
    method: 'PATCH',
    url: url + path,
    headers,
    body: { slug: 'bench' },
  })
  return slug
}

type Cookies = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>

async function signedIn(browser: Browser, url: string, organizationId: string): Promise<Cookies> {
  const body = { organization_id: organizationId }
  const headers = asService(organizationId)
  const link = await sendJson<{ url: string }>({
    method: 'POST',
    url: `${url}/v1/console-links`,
    headers,
    body,
  })
  const { pathname, search } = new URL(link.url)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url + pathname + search)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/console\/(start|overview)/)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** The medians of the first visit of browsers that know nothing, and of their second. */
async function paints(browser: Browser, url: string, cookies: Cookies): Promise<[number, number]> {
  const told: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.addCookies(cookies)
    await context.addInitScript({ content: WATCH })
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', LINE)
    const visit = async () => {
      await page.goto(url, { waitUntil: 'load' })
      for (;;) {
        const painted = await page.evaluate<number>('painted')
        if (painted > 0) return painted
        await sleep(20)
      }
    }
    told.push([await visit(), await visit()])
    await context.close()
  }
  const median = (at: 0 | 1) => told.map((pair) => pair[at]).sort((a, b) => a - b)[(ROUNDS - 1) / 2]!
  return [median(0), median(1)]
}
