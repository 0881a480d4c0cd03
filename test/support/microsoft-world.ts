import { createHash } from 'node:crypto'
import type { Json } from '../../doubles/world.ts'

export const OWNER = 'owner@example.com'
export const SCOPE = 'openid offline_access User.Read Calendars.ReadWrite MailboxSettings.Read'
export const REDIRECT = 'https://app.example/callback'
const VERIFIER = 'v'.repeat(64)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export type Answer = { readonly status: number; readonly headers: Headers; readonly json: Json }

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : { text } }
}

/** A world of the double of Microsoft as a client and as a test meet it. */
export function microsoftWorld(base: string) {
  const form = (path: string, said: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(base + path, { method: 'POST', body: new URLSearchParams(said), headers }).then(read)

  const world = {
    base,
    control: async (method: string, path: string, body?: Json): Promise<Json> =>
      (
        await read(
          await fetch(`${base}/control${path}`, { method, ...(body && { body: JSON.stringify(body) }) }),
        )
      ).json,

    authorize: async (
      said: Record<string, string> = {},
      tenant = 'common',
    ): Promise<Answer & { back: Json | null }> => {
      const query = new URLSearchParams({
        ...{
          client_id: 'holdfast-double',
          response_type: 'code',
          redirect_uri: REDIRECT,
          scope: SCOPE,
          state: 'st',
        },
        ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', as: OWNER },
        ...said,
      })
      const response = await fetch(`${base}/${tenant}/oauth2/v2.0/authorize?${query}`, { redirect: 'manual' })
      const location = response.headers.get('location')
      return {
        ...(await read(response)),
        back: location ? Object.fromEntries(new URL(location).searchParams) : null,
      }
    },

    adminConsent: async (
      said: Record<string, string>,
      tenant = 'organizations',
    ): Promise<Answer & { back: Json | null }> => {
      const query = new URLSearchParams({
        ...{ client_id: 'holdfast-double', redirect_uri: REDIRECT, scope: SCOPE, state: 'st' },
        ...said,
      })
      const response = await fetch(`${base}/${tenant}/v2.0/adminconsent?${query}`, { redirect: 'manual' })
      const location = response.headers.get('location')
      return {
        ...(await read(response)),
        back: location ? Object.fromEntries(new URL(location).searchParams) : null,
      }
    },

    token: (said: Record<string, string>, headers?: Record<string, string>): Promise<Answer> =>
      form(
        '/common/oauth2/v2.0/token',
        { client_id: 'holdfast-double', client_secret: 'double-secret_1', ...said },
        headers,
      ),

    redeem: (code: string, said: Record<string, string> = {}): Promise<Answer> =>
      world.token({
        ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER },
        ...said,
      }),

    refresh: (refreshToken: string, said: Record<string, string> = {}): Promise<Answer> =>
      world.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...said }),

    /** What the token endpoint gives after consent. */
    signIn: async (mail = OWNER, said: Record<string, string> = {}): Promise<Json> => {
      const { back } = await world.authorize({ as: mail, ...said })
      return (await world.redeem(back!.code)).json
    },

    /** A client of Graph with a token of its own. */
    graph: async (mail = OWNER, said: Record<string, string> = {}) => {
      const { access_token } = await world.signIn(mail, said)
      return world.graphWith(access_token)
    },

    graphWith: (token: string) => {
      const call = async (method: string, path: string, body?: Json, headers: Record<string, string> = {}) =>
        read(
          await fetch(path.startsWith('http') ? path : `${base}/v1.0${path}`, {
            method,
            headers: {
              Authorization: `Bearer ${token}`,
              ...(body && { 'Content-Type': 'application/json' }),
              ...headers,
            },
            ...(body && { body: JSON.stringify(body) }),
          }),
        )
      return {
        get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
        post: (path: string, body: Json, headers?: Record<string, string>) =>
          call('POST', path, body, headers),
        patch: (path: string, body: Json, headers?: Record<string, string>) =>
          call('PATCH', path, body, headers),
        delete: (path: string, headers?: Record<string, string>) => call('DELETE', path, undefined, headers),
      }
    },

    /** As the owner puts them in; the ids. */
    put: async (events: Json[], calendar?: string): Promise<string[]> =>
      (await world.control('POST', '/events', { events, ...(calendar && { calendar }) })).ids,
  }
  return world
}

export type MicrosoftWorld = ReturnType<typeof microsoftWorld>

/** An hour from nine in Berlin, or what is said. */
export const event = (date: string, more: Json = {}): Json => ({
  subject: 'Review',
  start: { dateTime: `${date}T09:00:00`, timeZone: 'W. Europe Standard Time' },
  end: { dateTime: `${date}T10:00:00`, timeZone: 'W. Europe Standard Time' },
  ...more,
})

export const weekly = (startDate: string, day: string): Json => ({
  pattern: { type: 'weekly', interval: 1, daysOfWeek: [day] },
  range: { type: 'noEnd', startDate },
})

export const view = (from: string, to: string, more = ''): string =>
  `/me/calendarView?startDateTime=${from}T00:00:00Z&endDateTime=${to}T00:00:00Z${more}`
