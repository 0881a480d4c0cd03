import { inject } from 'vitest'
import type { Json, Trouble } from '../../doubles/world.ts'

type WorldProvider =
  | 'google'
  | 'microsoft'
  | 'zoom'
  | 'ics'
  | 'caldav'
  | 'openid-connect'
  | 'calendly'
  | 'calcom'

const OWNER = 'owner@example.com'

/** A world of one provider, and what a test can do there as an owner of an account or as the provider. */
export type World = ReturnType<typeof openWorld>

export function openWorld(
  provider: WorldProvider,
  name: string = crypto.randomUUID(),
  worlds: string = inject('worlds'),
) {
  const base = `${worlds}/${provider}/${name}`
  async function control(method: string, path = '', body?: unknown, as = OWNER): Promise<any> {
    const response = await fetch(`${base}/control${path}?${new URLSearchParams({ as })}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`the double refuses ${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const eventPath = (id: string) => `/events/${encodeURIComponent(id)}`
  const calendarPath = (id: string) => `/calendars/${encodeURIComponent(id)}`
  return {
    base,
    control,
    set: (settings: Json): Promise<void> => control('PUT', '', settings),
    look: (as?: string): Promise<Record<string, Json[]>> => control('GET', '', undefined, as),
    troubles: (troubles: readonly Trouble[]): Promise<void> => control('PUT', '/troubles', troubles),
    noTroubles: (): Promise<void> => control('DELETE', '/troubles'),
    setAhead: (ahead_ms: number): Promise<void> => control('PUT', '/clock', { ahead_ms }),
    seed: async (events: readonly (Json | string)[], as?: string, calendar?: string): Promise<string[]> =>
      (await control('POST', '/events', { events, ...(calendar !== undefined && { calendar }) }, as)).ids,
    change: (id: string, data: Json, as?: string): Promise<void> => control('PATCH', eventPath(id), data, as),
    remove: (id: string, as?: string): Promise<void> => control('DELETE', eventPath(id), undefined, as),
    /** As its owner drags it into another calendar of the account. */
    drag: (id: string, calendar: string, as?: string): Promise<any> =>
      control('POST', `${eventPath(id)}/move`, { calendar }, as),
    addCalendar: (calendar: Json, as?: string): Promise<{ id: string }> =>
      control('POST', '/calendars', calendar, as),
    removeCalendar: (id: string, as?: string): Promise<void> =>
      control('DELETE', calendarPath(id), undefined, as),
    restoreCalendar: (id: string, as?: string): Promise<void> =>
      control('POST', `${calendarPath(id)}/restore`, {}, as),
    /** Every permission ends; it can be given again. */
    end: (how: 'revoked' | 'expired' | 'removed', as?: string): Promise<void> =>
      control('POST', '/end', { how }, as),
    /** Access tokens run out at once, refresh tokens do not. */
    expire: (as?: string): Promise<void> => control('POST', '/expire', {}, as),
    /** Cursors are known no more. */
    forget: (as?: string): Promise<void> => control('POST', '/forget', {}, as),
    /** What is wrong with this service's registration at the provider. */
    register: (registration: Json): Promise<void> => control('PUT', '/registration', registration),
    consent: (authorizationUrl: string, as: string = OWNER, says: 'yes' | 'no' = 'yes') =>
      consent(authorizationUrl, as, says),
  }
}

/** Where the owner's browser is sent back to after they said yes (or no) at `authorizationUrl`. */
async function consent(authorizationUrl: string, as: string, says: 'yes' | 'no'): Promise<URL> {
  const url = new URL(authorizationUrl)
  url.searchParams.set('as', as)
  if (says === 'no') url.searchParams.set('deny', '1')
  const response = await fetch(url, { redirect: 'manual' })
  const back = response.headers.get('Location')
  const text = await response.text()
  if (back === null)
    throw new Error(`the double refuses to authorize: ${response.status} ${text.slice(0, 300)}`)
  return new URL(back)
}
