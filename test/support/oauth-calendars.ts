import type { Json, Trouble } from '../../doubles/world.ts'
import { answerConsent } from './consent.ts'
import { type Service, serviceWith } from './service-with.ts'
import { openWorld, type World } from './world.ts'
import { settingsOf } from './world-account.ts'

const CALENDARS = '/calendar/v3/'

/** A service with a Google of its own. */
export function serviceWithGoogle(settings: Readonly<Record<string, string>> = {}) {
  const world = openWorld('google')
  const service = serviceWith({ ...settingsOf('calendar_a', world.base), ...settings })
  return { world, service }
}

/** Connects the account of `as`, and returns what the API says of it. */
export async function connectGoogle(
  { call, visit }: Service,
  world: Pick<World, 'consent'>,
  key: string,
  { as, memberId }: { readonly as?: string; readonly memberId?: string } = {},
): Promise<any> {
  const query = memberId === undefined ? '' : `?member_id=${memberId}`
  const { status, body } = await call('GET', `/v1/calendars/calendar_a/connect${query}`, { key })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const answer = await answerConsent(visit, await world.consent(body.url, as))
  if (answer.status !== 200) throw new Error(answer.text)
  const listed = await call('GET', '/v1/calendars?limit=1', { key })
  return listed.body.data[0]
}

/** A Google event that blocks that time. */
export function busyEvent(start: number, minutes: number, more: Readonly<Record<string, unknown>> = {}) {
  const at = (instant: number) => ({ dateTime: new Date(instant).toISOString() })
  return { summary: 'Busy', start: at(start), end: at(start + minutes * 60_000), ...more }
}

/** From now on Google answers every question about calendars so, `times` of them if that is told. */
export function answersWith(
  world: Pick<World, 'troubles'>,
  status: number,
  { times = null, headers = {} }: Pick<Trouble, 'times' | 'headers'> = {},
): Promise<void> {
  return world.troubles([{ about: CALENDARS, times, status, headers }])
}

/** What Google was asked about calendars so far. */
export async function callsAt(world: Pick<World, 'look'>): Promise<Json[]> {
  return (await world.look()).calls!.filter(({ path }) => path.startsWith(CALENDARS))
}
