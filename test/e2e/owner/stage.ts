import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { askService } from '../../support/ask-service.ts'
import { launchBrowser, newVisitor, type Visitor } from '../../support/browser.ts'
import { takeBuilt } from '../../support/build-for-e2e.ts'
import { letterIn, MAILBOX, TO_MAILBOX } from '../../support/mailbox.ts'
import { type Radicale, startRadicale } from '../../support/radicale.ts'
import { openRuntime, SERVICE_KEY } from '../../support/service.ts'
import { browserFor, type Way } from './ways.ts'

/** What `PUBLIC_URL` says: links in emails lead there. */
export const HOME = 'http://localhost:8787'

/** What all walks share: each has an organization of its own. */
export let radicale: Radicale
let runtime: Awaited<ReturnType<typeof openRuntime>>
let browser: Browser
let directory: string
let origin: string

export async function openStage(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'owner-'))
  const [bundle, server] = await Promise.all([takeBuilt(directory), startRadicale()])
  radicale = server
  runtime = await openRuntime(bundle, directory, [MAILBOX], undefined, { LOG_LINES: 'off' }, TO_MAILBOX)
  const direct = await runtime.unsafeGetDirectURL('holdfast')
  origin = direct.origin
  browser = await launchBrowser([`--host-resolver-rules=MAP localhost:8787 ${direct.host}`])
}

export async function closeStage(): Promise<void> {
  await browser?.close()
  await runtime?.dispose()
  await radicale?.stop()
  await rm(directory, { recursive: true, force: true })
}

/** The text of the last email to an address, as soon as there is one whose subject contains this. */
export function emailTo(address: string, subject = ''): Promise<string> {
  return letterIn(runtime, address, (email) => email.subject.includes(subject))
}

export async function countEmailsTo(address: string): Promise<number> {
  const all = await (await fetch(await runtime.unsafeGetDirectURL('mailbox'))).json()
  return (all as { readonly to: string }[]).filter(({ to }) => to === address).length
}

export type Practice = Awaited<ReturnType<typeof openPractice>>

/** An organization without anything, whose owner reads this language. */
export async function openPractice(language: Way['language'], tier = 'scale') {
  const owner = `owner-${crypto.randomUUID()}@practice.example`
  const asService = (method: string, path: string, body: unknown = null, headers = {}) =>
    askService(origin, method, path, body, SERVICE_KEY, headers)
  const { id, slug } = await asService('POST', '/v1/organizations', {
    name: 'Weiss Practice',
    owner_user_id: owner,
    owner_email: owner,
    timezone: 'Europe/Berlin',
  })
  await asService('PATCH', `/v1/organizations/${id}`, { tier })
  await asService('PATCH', `/v1/organizations/${id}`, { locale: language }, { 'X-Org-Id': id })
  const ask = (method: string, path: string, body: unknown = null) =>
    asService(method, path, body, { 'X-Org-Id': id })
  const work = [1, 2, 3, 4, 5].map((day_of_week) => ({
    ...{ day_of_week, start_time: '08:00', end_time: '18:00' },
  }))
  return {
    id: id as string,
    slug: slug as string,
    owner,
    ask,
    /** Something to book from Monday to Friday. */
    offer: async (eventType: object): Promise<{ readonly id: string; readonly slug: string }> => {
      const made = await ask('POST', '/v1/event-types', { booking_page_enabled: true, ...eventType })
      await ask('PUT', `/v1/event-types/${made.id}/availability`, { rules: work })
      return made
    },
    /** A colleague; the answer is the id of the member. */
    join: async (name: string): Promise<string> => {
      const email = `${name.split(' ')[0]!.toLowerCase()}-${crypto.randomUUID()}@practice.example`
      const invitation = { email, role: 'member' }
      const { token } = await ask('POST', `/v1/organizations/${id}/invitations`, invitation)
      const accepted = { token, user_id: email, user_email: email }
      const member = await asService('POST', '/v1/invitations/accept', accepted)
      await ask('PATCH', `/v1/organizations/${id}/members/${member.id}`, { name })
      return member.id
    },
    /** The owner in a browser of their own, who is signed in. */
    enter: async (way: Way): Promise<Visitor> => {
      const visitor = await newVisitor(browser, browserFor(way))
      const link = await asService('POST', '/v1/console-links', { organization_id: id })
      const { pathname, search } = new URL(link.url)
      await visitor.page.goto(HOME + pathname + search)
      await visitor.page.locator('main form button').click()
      await visitor.page.waitForURL(/\/console\/(start|overview)/)
      return visitor
    },
  }
}

/** Sends a form as who is signed in on a page; the answer is its status. */
export async function sendForm(page: Page, path: string, fields: Record<string, string>): Promise<number> {
  const cookies = await page.context().cookies(HOME)
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const init = { method: 'POST', headers: { Origin: origin, Cookie }, redirect: 'manual' } as const
  return (await fetch(origin + path, { ...init, body: new URLSearchParams(fields) })).status
}

/** Somebody who is not signed in. */
export function visit(way: Way): Promise<Visitor> {
  return newVisitor(browser, browserFor(way))
}
