import { env } from 'cloudflare:workers'
import { call, type Json } from './app.ts'
import { googleHeaders, graphNotification } from './channels.ts'
import { answerConsent } from './consent.ts'
import { createOrganization, iso, unique } from './factories.ts'
import { visit } from './pages.ts'
import { openWorld } from './world.ts'
import { settingsOf } from './world-account.ts'

const HOUR_MS = 3_600_000
// Nobody is there, so the doubles take the address on trust, and tests tell what they would.
export const PUBLIC_URL = 'https://book.example'

type Any = Record<string, any>
type Watched = { readonly id: string; readonly secret: string; readonly addresses: readonly string[] }

/** What differs between the suites for a test that is about both. */
export const SUITE_WORLDS = {
  calendar_a: {
    world: openWorld('google'),
    event: (start: number): Any => ({
      start: { dateTime: iso(start) },
      end: { dateTime: iso(start + HOUR_MS) },
    }),
    watched: ({ channels }: Any): Watched[] =>
      channels
        .filter(({ live }: Any) => live)
        .map(({ id, token, address }: Any) => ({ id, secret: token, addresses: [address] })),
    tell: ({ id, secret }: Watched) => ({ headers: googleHeaders(id, secret) }),
    isThere: (event: Any) => event.status !== 'cancelled' && !event.isDeleted,
  },
  calendar_b: {
    world: openWorld('microsoft'),
    event: (start: number): Any => ({
      start: { dateTime: iso(start).slice(0, 19), timeZone: 'UTC' },
      end: { dateTime: iso(start + HOUR_MS).slice(0, 19), timeZone: 'UTC' },
    }),
    watched: ({ subscriptions }: Any): Watched[] =>
      subscriptions.map(({ id, clientState, notificationUrl, lifecycleNotificationUrl }: Any) => ({
        id,
        secret: clientState,
        addresses: [notificationUrl, lifecycleNotificationUrl],
      })),
    tell: ({ id, secret }: Watched) => ({ body: graphNotification(id, secret) as Json }),
    isThere: (event: Any) => !event.isDeleted,
  },
} as const

export type Suite = keyof typeof SUITE_WORLDS

/** Connects an account, of an organization of its own unless told, to a service that its provider can reach. */
export async function connectSuite(suite: Suite, memberId?: string, known?: { readonly liveKey: string }) {
  const { world } = SUITE_WORLDS[suite]
  Object.assign(env, settingsOf(suite, world.base), { PUBLIC_URL })
  const { liveKey: key } = known ?? (await createOrganization())
  const email = `${unique('m')}@example.com`
  const query = memberId === undefined ? '' : `?member_id=${memberId}`
  const { body } = await call('GET', `/v1/calendars/${suite}/connect${query}`, { key })
  const { status, text } = await answerConsent(visit, await world.consent(body.url, email))
  if (status !== 200) throw new Error(`${status}: ${text}`)
  const connection: Any = (await call('GET', '/v1/calendars', { key })).body.data[0]
  return { key, email, connection }
}
