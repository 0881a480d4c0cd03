import { createHash } from 'node:crypto'
import { openGoogle } from '../../doubles/google/open-google.ts'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import type { Json } from '../../doubles/world.ts'

export type Answer = { readonly status: number; readonly json: Json; readonly headers: Headers }

export const calendarScope = 'https://www.googleapis.com/auth/calendar'
export const redirectUri = 'http://localhost:8787/callback'
const verifier = 'a-verifier-of-more-than-forty-three-signs-0123456789'
const challenge = createHash('sha256').update(verifier).digest('base64url')

export const startGoogle = (): Promise<Doubles> => startDoubles({ google: openGoogle })

let worlds = 0

/** A world of its own, and what a test says to it. */
export function newWorld(doubles: Doubles) {
  const base = `${doubles.url}/google/world-${++worlds}`

  async function ask(path: string, options: RequestInit = {}): Promise<Answer> {
    const response = await fetch(base + path, { redirect: 'manual', ...options })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, json: isJson ? JSON.parse(text) : { text }, headers: response.headers }
  }

  const json = (method: string, body: Json | undefined) =>
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }

  const control = (method: string, path: string, body?: Json) => ask(`/control${path}`, json(method, body))

  const form = (path: string, fields: Record<string, string>) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields) })

  const client = { client_id: 'holdfast-double', client_secret: 'double-secret_1' }

  const authorize = (more: Record<string, string> = {}) =>
    ask(
      `/o/oauth2/v2/auth?${new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: calendarScope,
        access_type: 'offline',
        prompt: 'consent',
        state: 'some-state',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        as: 'owner@example.com',
        ...more,
      })}`,
    )

  async function codeFor(more: Record<string, string> = {}): Promise<string> {
    const { headers } = await authorize(more)
    return new URL(headers.get('location')!).searchParams.get('code')!
  }

  const exchange = (code: string, more: Record<string, string> = {}) =>
    form('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...client,
      ...more,
    })

  const refresh = (refreshToken: string, more: Record<string, string> = {}) =>
    form('/token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...client, ...more })

  /** Consents, and speaks to the calendar API from then on. */
  async function connect(more: Record<string, string> = {}) {
    const { json: tokens } = await exchange(await codeFor(more))
    const call = (method: string, path: string, body?: Json, headers: Record<string, string> = {}) => {
      const options = json(method, body)
      const all = {
        Authorization: `Bearer ${tokens.access_token}`,
        ...('headers' in options && options.headers),
      }
      return ask(`/calendar/v3${path}`, { ...options, headers: { ...all, ...headers } })
    }
    return { tokens, call }
  }

  return { base, ask, control, form, authorize, codeFor, exchange, refresh, connect, client }
}

/** A minute of a day in June, in UTC. */
export const at = (day: number, hour: number): string =>
  `2031-06-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`

export const timed = (summary: string, day: number, hour: number, more: Json = {}): Json => ({
  summary,
  start: { dateTime: at(day, hour), timeZone: 'Europe/Berlin' },
  end: { dateTime: at(day, hour + 1), timeZone: 'Europe/Berlin' },
  ...more,
})

export const reasonOf = ({ status, json }: Answer): [number, string] => [
  status,
  json.error?.errors?.[0]?.reason,
]
