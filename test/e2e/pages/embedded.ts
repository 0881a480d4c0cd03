import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { browser, studio } from './stage.ts'

const DAY_MS = 86_400_000
const YEAR = new Date().getUTCFullYear() + 2
/** Fridays two years from now. */
const FRIDAY = fridays(Date.UTC(YEAR, 5, 1))

let host: Server
/** A site that is made with React, by its own script. */
let application: string

function fridays(first: number): (number: number) => string {
  const ahead = (12 - new Date(first).getUTCDay()) % 7
  return (number) => new Date(first + (ahead + 7 * number) * DAY_MS).toISOString().slice(0, 10)
}

/** Each path is a site of its own kind. */
function siteAt(path: string): { readonly html: string; readonly policy?: string } {
  const { origin } = new URL(studio.url)
  const embed = (more: string) => `<script src="${origin}/embed.js" ${more}></script>`
  const call = 'data-org="northwind" data-event="video-call"'
  switch (path) {
    case '/head':
      return { html: `<head>${embed(`${call} data-hide-details`)}</head><body><h1>In the head</h1></body>` }
    case '/dark':
      return {
        html: `<body style="background: #101014"><h1 style="color: #fff">Dark</h1>${embed(call)}</body>`,
      }
    case '/open':
      return {
        html: `<body><h1>By hand</h1>${embed('')}
          <a href="#" data-holdfast-link="northwind/morning-yoga" data-lang="de" data-theme="dark">Yoga</a>
          <a href="#as-before" data-holdfast-link="No such/page!">Mistyped</a>
          <button type="button" onclick="Holdfast.open({ org: 'northwind', event: 'video-call', name: 'Ada', email: 'ada@example.com', date: '${FRIDAY(1)}', metadata: { from: 'site' }, answers: { dogs: ['Rex', 'Fido & co'] } })">Call</button>
          ${embed(`${call} data-mode="floating" data-label="Meet us" data-color="#facc15"`)}</body>`,
      }
    case '/react':
      return {
        html: `<body><main id="main"></main><script>window.service = '${origin}'</script><script>${application}</script></body>`,
      }
    case '/missing':
      return { html: `<body>${embed('data-org="northwind" data-event="no-such-page"')}</body>` }
    default:
      return {
        html: `<body><h1>Somebody's site</h1>
          ${embed(`${call} data-tz="Europe/Berlin" data-date="${FRIDAY(0)}"`)}
          ${embed('data-org="northwind" data-event="morning-yoga" data-mode="popup" data-lang="de" data-label="Book yoga"')}</body>`,
        policy: `default-src 'none'; script-src ${origin}; frame-src ${origin}`,
      }
  }
}

const ROOT = resolve(import.meta.dirname, '../../..')

async function buildApplication(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { StrictMode, useState } from 'react'
        import { createRoot } from 'react-dom/client'
        import { BookingLink, BookingPage } from '@holdfast/client/react'
        window.told = []
        function Site() {
          const [event, setEvent] = useState('video-call')
          const [baseUrl, setBaseUrl] = useState(window.service)
          const [count, setCount] = useState(0)
          const page = { baseUrl, org: 'northwind', name: 'Ada' }
          return <>
            <button onClick={() => setEvent('morning-yoga')}>Yoga</button>
            <button onClick={() => setEvent(null)}>Nothing</button>
            <button onClick={() => setBaseUrl('http://127.0.0.1:9')}>Elsewhere</button>
            <button onClick={() => setCount(count + 1)}>Again</button>
            {event && <BookingPage {...page} event={event} className="here" metadata={{ from: 'react' }}
              onViewed={(detail) => told.push(['viewed', count, detail])}
              onFailed={(detail) => told.push(['failed', count, detail])} />}
            <BookingLink {...page} event="video-call" lang="de"
              onViewed={(detail) => told.push(['opened', count, detail])}>Termin</BookingLink>
          </>
        }
        createRoot(document.getElementById('main')).render(<StrictMode><Site /></StrictMode>)`,
      loader: 'tsx',
      resolveDir: ROOT,
    },
    bundle: true,
    jsx: 'automatic',
    alias: { '@holdfast/client/react': resolve(ROOT, 'client/src/react/index.tsx') },
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
  })
  return outputFiles[0]!.text.replaceAll('</script', '<\\/script')
}

beforeAll(async () => {
  application = await buildApplication()
  host = createServer((request, response) => {
    const { html, policy } = siteAt(request.url ?? '/')
    response.setHeader('Content-Type', 'text/html')
    if (policy) response.setHeader('Content-Security-Policy', policy)
    response.end(`<!doctype html><html lang="en"><title>Somebody's site</title>${html}</html>`)
  }).listen(0, '127.0.0.1')
})

afterAll(() => {
  host?.close()
})

function site(path = '/'): string {
  return `http://localhost:${(host.address() as AddressInfo).port}${path}`
}

const LISTEN = `window.heard = []; for (const one of ['viewed', 'date_selected', 'time_selected', 'booked', 'failed'])
  addEventListener('holdfast:' + one, ({ type, detail }) => heard.push([type.slice(9), detail]))`

it('books from within somebody’s site, which is notified of every step and forbids all else', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.addInitScript({ content: LISTEN })
  await page.goto(site())
  const frame = page.frameLocator('iframe').first()
  await frame.getByRole('heading', { name: 'Video call' }).waitFor()
  await expect.poll(() => page.evaluate("document.querySelector('iframe').style.height")).not.toBe('44rem')
  await frame.locator(`[data-day="${FRIDAY(2)}"]`).click()
  await frame.getByRole('link', { name: '3:00 PM', exact: true }).click()
  await frame.getByLabel('Name').fill('Katherine')
  await frame.getByRole('button', { name: 'Confirm booking' }).click()
  await frame.getByText('Please check these points').waitFor()
  await frame.getByLabel('Email address').fill('katherine@example.com')
  await frame.getByRole('button', { name: 'Confirm booking' }).click()
  await frame.getByRole('heading', { name: 'You are booked' }).waitFor()
  await expect.poll(() => page.evaluate('heard.at(-1)[0]')).toBe('booked')
  const heard = (await page.evaluate('heard')) as [string, Record<string, unknown>][]
  expect(heard.map(([type]) => type)).toEqual([
    'viewed',
    'date_selected',
    'time_selected',
    'failed',
    'booked',
  ])
  expect(heard.map(([, detail]) => detail)).toMatchObject([
    { org: 'northwind', event: 'video-call' },
    { date: FRIDAY(2) },
    { start_time: expect.stringContaining(FRIDAY(2)) },
    { code: 'validation_error' },
    { status: 'confirmed', event_type: { slug: 'video-call' } },
  ])
  expect(JSON.stringify(heard)).not.toMatch(/token|Katherine/)
  await page.getByRole('button', { name: 'Book yoga' }).click()
  await page.frameLocator('dialog iframe').getByRole('heading', { name: 'Morning yoga' }).waitFor()
  await page.getByRole('button', { name: 'Schließen' }).click()
  await leave()
})

it('notifies the site only that there is no such page', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.addInitScript({ content: LISTEN })
  await page.goto(site('/missing'))
  await expect.poll(() => page.evaluate('heard')).toEqual([['failed', { code: 'not_found' }]])
  await leave()
})

it('works from the head of a page, without the details that were not wanted', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(site('/head'))
  const frame = page.frameLocator('body > iframe')
  await frame.locator('.times').waitFor()
  expect(await frame.getByRole('heading', { name: 'Video call' }).isVisible()).toBe(false)
  await leave()
})

it('is as dark as the site around it', async () => {
  const { page, leave } = await newVisitor(browser, { colorScheme: 'dark' })
  const themeIn = (which: string) => page.frameLocator(which).locator('html').getAttribute('data-theme')
  await page.goto(site('/head'))
  await page.frameLocator('iframe').locator('.times').waitFor()
  expect(await themeIn('iframe')).toBe('light')
  await page.goto(site('/dark'))
  await page.frameLocator('iframe').locator('.times').waitFor()
  expect(await themeIn('iframe')).toBe('dark')
  await page.evaluate("document.body.style.background = '#fff'")
  await expect.poll(() => themeIn('iframe')).toBe('light')
  await leave()
})

it('opens by a call, by a link and by a floating button, and again after a booking', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(site('/open'))
  await page.getByRole('link', { name: 'Yoga' }).click()
  const yoga = page.frameLocator('dialog[open] iframe')
  await yoga.getByRole('heading', { name: 'Morning yoga' }).waitFor()
  expect(await yoga.locator('html').getAttribute('lang')).toBe('de')
  expect(await yoga.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Call' }).click()
  const call = page.frameLocator('dialog[open] iframe')
  await call.getByRole('link', { name: '10:00 AM', exact: true }).click()
  await expect.poll(() => call.getByLabel('Name').inputValue()).toBe('Ada')
  const asked = new URL((await page.locator('dialog[open] iframe').getAttribute('src')) ?? '')
  expect(asked.searchParams.getAll('answers[dogs]')).toEqual(['Rex', 'Fido & co'])
  await call.getByRole('button', { name: 'Confirm booking' }).click()
  await call.getByRole('heading', { name: 'You are booked' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Call' }).click()
  await call.locator('.times').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const floating = page.getByRole('button', { name: 'Meet us' })
  const color =
    "getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === 'Meet us')).color"
  await expect.poll(() => page.evaluate(color)).toBe('rgb(17, 24, 39)')
  await page.getByRole('link', { name: 'Mistyped' }).click()
  expect(new URL(page.url()).hash).toBe('#as-before')
  await floating.click()
  await page.frameLocator('dialog[open] iframe').getByRole('heading', { name: 'Video call' }).waitFor()
  const booking = (await studio.bookings()).find(({ metadata }) => metadata.from === 'site')
  expect(booking).toMatchObject({ invitee_name: 'Ada' })
  await leave()
})

it('is a part of a site made with React: shown once, changed with its properties, gone with its component', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(site('/react'))
  const frame = page.frameLocator('.here iframe')
  await frame.getByRole('heading', { name: 'Video call' }).waitFor()
  expect(await page.locator('iframe').count()).toBe(1)
  expect(await page.locator('.here a').count()).toBe(0)
  const asked = new URL((await page.locator('iframe').getAttribute('src')) ?? '').searchParams
  expect([asked.get('name'), asked.get('metadata[from]')]).toEqual(['Ada', 'react'])
  await expect
    .poll(() => page.evaluate('told'))
    .toEqual([['viewed', 0, { org: 'northwind', event: 'video-call' }]])
  // A new render loads nothing again, and its handlers are the ones that are called.
  await page.getByRole('button', { name: 'Again' }).click()
  await page.getByRole('link', { name: 'Termin' }).click()
  const over = page.frameLocator('dialog[open] iframe')
  await over.getByRole('heading', { name: 'Video call' }).waitFor()
  expect(await over.locator('html').getAttribute('lang')).toBe('de')
  await expect
    .poll(() => page.evaluate('told.slice(1)'))
    .toEqual([['opened', 1, { org: 'northwind', event: 'video-call' }]])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Yoga' }).click()
  await frame.getByRole('heading', { name: 'Morning yoga' }).waitFor()
  expect(await page.locator('.here iframe').count()).toBe(1)
  await page.getByRole('button', { name: 'Nothing' }).click()
  await expect.poll(() => page.locator('.here').count()).toBe(0)
  await leave()
})

it('is a link if Holdfast cannot be reached, and notifies the site', async () => {
  const { page, leave } = await newVisitor(browser)
  await page.goto(site('/react'))
  await page.frameLocator('.here iframe').getByRole('heading', { name: 'Video call' }).waitFor()
  await page.getByRole('button', { name: 'Elsewhere' }).click()
  await page.locator('.here a').waitFor()
  expect(await page.locator('.here a').getAttribute('href')).toBe(
    'http://127.0.0.1:9/book/northwind/video-call',
  )
  await expect.poll(() => page.evaluate('told.at(-1)')).toEqual(['failed', 0, { code: 'unreachable' }])
  await leave()
})
