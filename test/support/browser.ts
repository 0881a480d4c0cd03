import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { expect } from 'vitest'
import { findChromium } from '../system/packages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SHOTS = join(ROOT, 'dist/pages')
/** Nobody looks at the pictures of most runs, and each costs as much as a page. */
export const KEEPS_PICTURES = process.env.PICTURES === 'true'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pages are looked at for a second each: to make their scripts fast takes longer than to run them. */
const SHORT_LIVED = '--js-flags=--no-opt,--no-maglev'

export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null)
    throw new Error('Chromium is missing: install the package chromium-headless-shell or chromium.')
  mkdirSync(SHOTS, { recursive: true })
  return chromium.launch({ executablePath, args: ['--no-sandbox', SHORT_LIVED, ...args] })
}

export type Visitor = {
  readonly page: Page
  /** Waits until the page is there, asks for nothing any more and shows what it was answered. */
  readonly settle: () => Promise<void>
  /** Says that nothing stands in anybody's way, and keeps a picture where one is wanted; `foreign` are the origins asked besides. */
  readonly look: (name: string, foreign?: readonly string[]) => Promise<void>
  readonly leave: () => Promise<void>
}

/** WCAG 2.2 AA and what axe counts as best practice. */
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Somebody with a browser of their own: a desk in Berlin, unless told otherwise. `judged` are the tags or rules of axe by which
 * their looks are judged.
 */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
  judged: readonly string[] = EVERYTHING,
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text())
  })
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  const settle = settler(page)
  return {
    page,
    settle,
    look: async (name, foreign = []) => {
      await settle()
      if (KEEPS_PICTURES) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true })
      if (options.javaScriptEnabled !== false && judged.length > 0) {
        expect(await violationsOf(page, judged), name).toEqual([])
      }
      expect(faults, name).toEqual([])
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        name,
      ).toBeLessThanOrEqual(0)
      expect([...origins], name).toEqual([new URL(page.url()).origin, ...foreign])
    },
    leave: () => context.close(),
  }
}

const QUIET_MS = 60

/** Playwright calls a network idle after half a second, which hundreds of pages add up to minutes. */
function settler(page: Page): () => Promise<void> {
  const asked = new Set<Request>()
  let lastChange = 0
  const note = (change: (request: Request) => void) => (request: Request) => {
    change(request)
    lastChange = Date.now()
  }
  page.on(
    'request',
    note((request) => asked.add(request)),
  )
  const answered = note((request) => asked.delete(request))
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  return async () => {
    await page.waitForLoadState('load')
    const isQuiet = () => asked.size === 0 && Date.now() - lastChange >= QUIET_MS
    // On a busy machine it takes longer than that to show an answer.
    const isShown = async () => (await page.locator('main[aria-busy]').count()) === 0
    await expect
      .poll(async () => isQuiet() && (await isShown()) && isQuiet(), { timeout: 30_000, interval: 20 })
      .toBe(true)
  }
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** Past Playwright, which hands a text as long as this one on three times. */
async function putAxeInto(page: Page): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  await (await session).send('Runtime.evaluate', { expression: AXE, silent: true })
}

type Violation = {
  readonly id: string
  readonly nodes: { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds on a page by these tags or rules. */
export async function violationsOf(page: Page, rules: readonly string[]): Promise<string[]> {
  const runOnly = JSON.stringify(rules)
  // A page that is shown inside another one is a page of its own, and looked at by itself.
  const iframes = (await page.locator('[data-preview]').count()) === 0
  if (!(await page.evaluate('"axe" in window'))) await putAxeInto(page)
  // Axe asks itself in every frame of a page, and stays there as long as the page does.
  for (const frame of iframes ? page.frames() : []) {
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(AXE)
  }
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ${runOnly}, iframes: ${iframes} }).then((result) => result.violations)`,
  )) as Violation[]
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
}
