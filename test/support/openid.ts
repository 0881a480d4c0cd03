import { env } from 'cloudflare:workers'
import { call } from './app.ts'
import { type Browser, openBrowser } from './console.ts'
import { createOrganization, unique } from './factories.ts'
import { SITE, type Visited } from './pages.ts'
import { openWorld, type World } from './world.ts'

export const START = '/console/sign-in/openid'
export const SESSION = '__Host-hf_session'
export const TRANSACTION = '__Host-hf_openid'

/** A provider of its own, that the service signs people in with from now on. */
export function newProvider(settings: Readonly<Record<string, string>> = {}): World {
  const world = openWorld('openid-connect')
  Object.assign(env, {
    OIDC_ISSUER: world.base,
    OIDC_CLIENT_ID: 'holdfast-double',
    OIDC_CLIENT_SECRET: 'double+secret/1=',
    ALLOW_PRIVATE_HOSTS: 'true',
    PUBLIC_URL: SITE,
    ...settings,
  })
  return world
}

/** Somebody with an organization and an address. */
export async function owned(email = `${unique('owner')}@example.com`) {
  return { email, organization: await createOrganization({ ownerEmail: email }) }
}

/** Goes to the provider, and is sent back from there. */
export async function wayBack(
  world: World,
  as: string,
  browser: Browser = openBrowser(),
  from: string = START,
): Promise<{ readonly browser: Browser; readonly back: string; readonly url: URL }> {
  const away = await browser.visit(from)
  const url = new URL(away.headers.get('location') ?? leadsTo(away))
  const { pathname, search } = await world.consent(url.href, as)
  return { browser, back: pathname + search, url }
}

/** Where a page goes on to by itself. */
export function leadsTo({ text, status }: Visited): string {
  const [, url] = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text) ?? []
  if (!url) throw new Error(`it leads nowhere: ${status} ${text.slice(0, 1000)}`)
  return url.replaceAll('&amp;', '&')
}

/** Comes back from the provider. */
export async function arrive(world: World, as: string, browser?: Browser) {
  const way = await wayBack(world, as, browser)
  return { ...way, answer: await way.browser.visit(way.back) }
}

/** What stands in the activity log of the organization about its members, the newest first. */
export async function actionsOf({ liveKey }: { readonly liveKey: string }): Promise<string[]> {
  const { body } = await call('GET', '/v1/activity?resource_type=member', { key: liveKey })
  return body.data.map(({ action }: { readonly action: string }) => action)
}

/** How many accounts of a provider are linked under this address. */
export function accountsOf(email: string) {
  return env.DB.prepare('SELECT count(*) AS n FROM openid_accounts WHERE email = ?')
    .bind(email)
    .first<number>('n')
}
