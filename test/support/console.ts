import { env, exports } from 'cloudflare:workers'
import { digitsOf, linkTokenOf } from '../../src/people/sign-in/code.ts'
import { callAsService } from './app.ts'
import type { Organization } from './factories.ts'
import { browserRequest, formOf, seen, type Visit, type Visited } from './pages.ts'

/** A browser that keeps its cookies, as far as the console needs it. */
export type Browser = {
  readonly cookies: Map<string, string>
  readonly visit: (path: string, how?: Visit) => Promise<Visited>
  /** Fills in a form of a page and sends it: `which` is part of its action. */
  readonly send: (
    page: Visited,
    which: string,
    fields?: Readonly<Record<string, string>>,
    holds?: string,
  ) => Promise<Visited>
  /** Goes where the answer leads. */
  readonly follow: (answer: Visited) => Promise<Visited>
}

export function openBrowser(cookies = new Map<string, string>()): Browser {
  const visit = async (path: string, how: Visit = {}): Promise<Visited> => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = browserRequest(path, { ...how, headers: { ...(Cookie && { Cookie }), ...how.headers } })
    const answer = await seen(await exports.default.fetch(request))
    for (const one of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!
      if (/Max-Age=0/.test(one)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return answer
  }
  const follow = (answer: Visited) => visit(answer.headers.get('location')!)
  const send: Browser['send'] = (page, which, fields = {}, holds = '') => {
    const form = formOf(page, which, holds)
    return visit(form.action, { form: { ...form.fields, ...fields } })
  }
  return { cookies, visit, send, follow }
}

/** The id of the last code that was asked for with the address. */
export async function lastCodeOf(email: string): Promise<string> {
  const select = env.DB.prepare('SELECT id FROM sign_in_codes WHERE email = ? ORDER BY id DESC LIMIT 1')
  return (await select.bind(email.toLowerCase()).first<string>('id'))!
}

export async function codeFor(email: string): Promise<string> {
  return digitsOf(env, await lastCodeOf(email))
}

export async function letterLinkFor(email: string): Promise<string> {
  return `/console/sign-in/link?token=${encodeURIComponent(await linkTokenOf(env, await lastCodeOf(email)))}`
}

/** Signs in with a mailed code, as anybody does. */
export async function signIn(email: string, browser = openBrowser()): Promise<Browser> {
  await browser.send(await browser.visit('/console/sign-in'), '/console/sign-in', { email })
  const page = await browser.visit('/console/sign-in/code')
  const answer = await browser.send(page, '/console/sign-in/code', { code: await codeFor(email) })
  if (answer.status !== 303) throw new Error(`not signed in: ${answer.status} ${answer.text.slice(0, 2000)}`)
  return browser
}

/** Signs a member in by a link of the service key: the owner, unless told otherwise. */
export async function enter({ id }: Pick<Organization, 'id'>, userId?: string): Promise<Browser> {
  const body = { organization_id: id, ...(userId !== undefined && { user_id: userId }) }
  const made = await callAsService('POST', '/v1/console-links', { body })
  const browser = openBrowser()
  const { pathname, search } = new URL(made.body.url)
  await browser.send(await browser.visit(pathname + search), '/console/link')
  return browser
}
