import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newVisitor } from '../support/browser.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { type Service, startService } from '../support/service.ts'

const PATIENT = { timeout: 30_000 }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

let directory: string
let service: Service
let base: string
let browser: Browser

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-reader-'))
  const state = join(directory, 'state')
  service = await startService(await takeBuilt(state), state)
  base = service.url.replace(/\/$/, '')
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

describe('a reader of the documentation', () => {
  it('finds guides, calls, errors and events by what people type, with one request in all', async () => {
    const { page, look, leave } = await newVisitor(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${base}/docs`, { waitUntil: 'networkidle' })
    const loaded = asked.length
    const found = page.locator('.doc-search a')
    for (const [typed, href] of [
      ['reschedule', '/docs/reference#/operations/rescheduleBooking'],
      ['rescheduling', '/docs/reference#/operations/rescheduleBooking'],
      ['429', '/docs/errors#rate_limit_exceeded'],
      ['slot_taken', '/docs/errors#conflict'],
      ['booking.created', '/docs/events#booking.created'],
      ['API key', '/docs/first-booking#a-key'],
      ['waitlist', '/docs/waitlist'],
      ['Räume', '/docs/rooms'],
      ['how to cancel a booking', '/docs/reference#/operations/cancelBooking'],
      ['verschieben', '/docs/reference#/operations/rescheduleBooking'],
      ['Transfer ownership', '/docs/reference#/operations/transferOwnership'],
    ]) {
      await page.getByRole('searchbox').fill(typed!)
      await expect
        .poll(
          async () => [typed, await found.evaluateAll((all: any[]) => all[0]?.getAttribute('href'))],
          PATIENT,
        )
        .toEqual([typed, href])
    }
    await look('docs-found')
    await page.getByRole('searchbox').fill('zxqw')
    await page.getByText('Nothing found').waitFor()
    expect(await found.count()).toBe(0)
    expect(asked.slice(loaded)).toEqual(['/assets/docs-index.json'])
    await leave()
  })

  it('finds each page of the menu by its title', async () => {
    const { page, leave } = await newVisitor(browser)
    await page.goto(`${base}/docs`)
    const links = await page
      .locator('.doc-pages a')
      .evaluateAll((all: any[]) => all.map((one) => [one.textContent, one.getAttribute('href')]))
    const titled = links.filter(([, href]) => !['/docs', '/docs/reference'].includes(href))
    expect(titled.length).toBeGreaterThan(20)
    for (const [title, href] of titled) {
      await page.getByRole('searchbox').fill(title)
      await expect
        .poll(
          async () =>
            page
              .locator('.doc-search a')
              .evaluateAll((all: any[]) => all.map((one) => one.getAttribute('href'))),
          PATIENT,
        )
        .toContain(href)
    }
    await leave()
  })

  it('searches by keyboard, and comes back from what was found', async () => {
    const { page, leave } = await newVisitor(browser)
    await page.goto(`${base}/docs/webhooks`)
    const field = page.getByRole('searchbox')
    const focused = () => page.evaluate('document.activeElement.textContent')
    await page.keyboard.press('/')
    expect(await field.evaluate('document.activeElement.id')).toBe('doc-search')
    await page.keyboard.type('conflict')
    await page.locator('.doc-search a').nth(1).waitFor()
    const [first, second] = await page.locator('.doc-search a').allTextContents()
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(first)
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(second)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    expect([await field.inputValue(), await page.locator('.doc-search a').count()]).toEqual(['', 0])
    await page.keyboard.type('conflict')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${base}/docs/errors#conflict`)
    const code = page.getByRole('heading', { name: 'conflict', exact: true })
    await expect.poll(async () => (await code.boundingBox())?.y).toBeLessThan(400)
    await page.goBack()
    await page.waitForURL(`${base}/docs/webhooks`)
    await page.getByRole('tab', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('TypeScript')
    await page.getByRole('tab', { name: 'TypeScript', selected: true }).first().waitFor()
    await leave()
  })

  it('sees the search and all pages beside the reference, and chooses a call there', async () => {
    const { page, leave } = await newVisitor(browser, { colorScheme: 'dark' })
    await page.goto(`${base}/docs/reference`)
    const menu = page.locator('.doc-menu')
    await menu.getByText('All pages').click()
    expect(await menu.getByRole('link', { name: 'API reference' }).getAttribute('aria-current')).toBe('page')
    await menu.getByText('All pages').click()
    await menu.getByText('Bookings', { exact: true }).click()
    await menu.getByRole('link', { name: /^Book a slot/ }).click()
    await page.getByRole('heading', { name: 'Book a slot' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Book a slot' }).count()).toBe(1)
    expect(await menu.locator('.doc-calls [aria-current]').textContent()).toBe('Book a slot POST')
    await page.getByText('invitee_email').last().scrollIntoViewIfNeeded()
    await page.getByRole('searchbox').fill('cancel a booking')
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('heading', { name: 'Cancel a booking' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    // Code keeps the colors of a light ground, turned round.
    const code = page.locator('.sl-code-highlight').first()
    expect(
      await code.evaluate('getComputedStyle(document.querySelector(".sl-code-highlight")).filter'),
    ).toContain('invert(1)')
    await page.goBack()
    await page.getByRole('heading', { name: 'Book a slot' }).waitFor()
    await leave()
  })

  it('begins with the page on a phone, where all pages and calls are folded', async () => {
    const { page, look, leave } = await newVisitor(browser, PHONE)
    await page.goto(`${base}/docs/export`)
    expect((await page.getByRole('heading', { level: 1 }).boundingBox())!.y).toBeLessThan(250)
    await page.getByText('All pages').tap()
    await look('docs-menu-phone')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).first().tap()
    await page.waitForURL(`${base}/docs/webhooks`)
    await page.goto(`${base}/docs/reference`)
    await page.getByText('All calls').tap()
    await page.locator('.doc-calls summary', { hasText: 'Waitlist' }).tap()
    await page.getByRole('link', { name: /^Join the waitlist/ }).tap()
    const call = page.getByRole('heading', { name: 'Join the waitlist' })
    await expect.poll(async () => (await call.boundingBox())?.y, PATIENT).toBeLessThan(500)
    await leave()
  })

  it('reads and prints without JavaScript, and finds all pages beside the text', async () => {
    const { page, look, leave } = await newVisitor(browser, { javaScriptEnabled: false })
    await page.goto(`${base}/docs/webhooks`)
    await look('docs-bare')
    expect(await page.locator('figcaption:visible').allTextContents()).toContain('endpoint.py')
    expect(await page.getByRole('link', { name: 'Going live' }).isVisible()).toBe(true)
    await page.goto(`${base}/docs/reference`)
    await page.getByRole('heading', { name: 'Book a slot', exact: true }).waitFor()
    expect(await page.locator('article').textContent()).toContain(
      'Body: event_type_id, start_time, invitee_name',
    )
    await look('docs-reference-bare')
    await page.locator('.doc-pages summary').click()
    await page.getByRole('link', { name: 'Errors', exact: true }).click()
    await page.waitForURL(`${base}/docs/errors`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.doc-menu').isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await leave()
  })
})
