import { call } from './app.ts'
import { dateOf, dayFromNow } from './factories.ts'

export const HOUR_MS = 3_600_000
export const DAY = dayFromNow(3)
export const TEN = DAY + 10 * HOUR_MS

type Lists = Record<
  'bookings' | 'sessions' | 'requests' | 'holds' | 'time_off' | 'busy' | 'open_hours' | 'together',
  any[]
>

/** What `DAY` has. */
export async function agenda(key: string, query = ''): Promise<Lists> {
  const path = `/v1/agenda?from=${dateOf(DAY)}&to=${dateOf(DAY)}${query}`
  const { status, body } = await call('GET', path, { key })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
