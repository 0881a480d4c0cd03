import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openCalcom } from '../../../doubles/calcom/open-calcom.ts'
import { openCalendly } from '../../../doubles/calendly/open-calendly.ts'
import { type Doubles, startDoubles } from '../../../doubles/start-doubles.ts'
import { askService } from '../../support/ask-service.ts'
import { launchBrowser, newVisitor, type Visitor } from '../../support/browser.ts'
import { type Radicale, startRadicale } from '../../support/radicale.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { SERVICE_KEY } from '../../support/service.ts'
import { type Studio, startStudio } from '../../support/studio.ts'

/** What `PUBLIC_URL` says, to whose host passkeys belong: the browser finds the service there, too. */
export const HOME = 'http://localhost:8787'

/** What all walks through the console share, since each part of it takes seconds to start. */
export let browser: Browser
export let studio: Studio
export let radicale: Radicale
export let receiver: Receiver
export let doubles: Doubles
let organizationId: string

export async function openStage(): Promise<void> {
  doubles = await startDoubles({ calcom: openCalcom, calendly: openCalendly })
  const settings = {
    CALCOM_API_BASE: `${doubles.url}/calcom/console/v2`,
    CALENDLY_API_BASE: `${doubles.url}/calendly/console`,
  }
  ;[studio, radicale, receiver] = await Promise.all([startStudio(settings), startRadicale(), startReceiver()])
  browser = await launchBrowser([`--host-resolver-rules=MAP localhost:8787 ${new URL(studio.url).host}`])
  organizationId = (await ask('GET', '/v1/organizations?owner_user_id=owner')).id
}

export async function closeStage(): Promise<void> {
  await browser?.close()
  await studio?.close()
  await Promise.all([radicale?.stop(), receiver?.stop(), doubles?.stop()])
}

export const at = (path: string) => new URL(path, studio.url).href

/** Asks as the service, or in a mode as the organization. */
export function ask(
  method: string,
  path: string,
  body: unknown = null,
  mode: 'live' | 'test' | null = null,
  organization = organizationId,
): Promise<any> {
  const headers: Record<string, string> =
    mode === null ? {} : { 'X-Org-Id': organization, 'X-Service-Mode': mode }
  return askService(studio.url, method, path, body, SERVICE_KEY, headers)
}

/** A link that signs the owner in once. */
export async function linkIn(organization = organizationId): Promise<URL> {
  const { url } = await ask('POST', '/v1/console-links', { organization_id: organization })
  const { pathname, search } = new URL(url)
  return new URL(at(pathname + search))
}

/** Signs in, which leads to `landing`: a form that was kept leads on at once to its screen. */
export async function enter(
  page: Page,
  landing: string | RegExp = /\/console\/(start|overview)/,
): Promise<void> {
  await page.goto((await linkIn()).href)
  await page.getByRole('button', { name: /Sign in|Anmelden/ }).click()
  await page.waitForURL(landing)
}

/** The owner in a browser that is signed in already, which takes three pages fewer. */
export async function newOwner(
  options: BrowserContextOptions = {},
  judged?: readonly string[],
  organization = organizationId,
): Promise<Visitor> {
  const { origin, pathname, searchParams } = await linkIn(organization)
  const headers = { Origin: origin }
  const init = { method: 'POST', headers, body: searchParams, redirect: 'manual' } as const
  const answer = await fetch(origin + pathname, init)
  const cookies = answer.headers.getSetCookie().map((one) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!
    return { name: name!, value: value!, url: origin.replace('http:', 'https:') }
  })
  const visitor = await newVisitor(browser, options, judged)
  await visitor.page.context().addCookies(cookies)
  return visitor
}
