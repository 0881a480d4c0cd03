import { SERVICE_KEY } from '../support/service.ts'
import { type Request, sendJson } from './http.ts'

const HALF_HOUR_MS = 30 * 60_000
const DAY_MS = 48 * HALF_HOUR_MS
const DAYS = 365
/** Coprime to the number of slots of a year: the slots come in an order that spreads them over the year. */
const STRIDE = 7_919

const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

export type Subject = {
  readonly organizationId: string
  readonly key: string
  readonly eventTypeIds: readonly string[]
}

/** The service's own key, which no plan limits, acting for the organization. */
export function asService(organizationId: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${SERVICE_KEY}`, 'X-Org-Id': organizationId }
}

/** An organization on the largest plan with a key and event types of half an hour, open around the clock. */
export async function createSubject(url: string, eventTypes: number): Promise<Subject> {
  const asOperator = { Authorization: `Bearer ${SERVICE_KEY}` }
  const { id: organizationId } = await sendJson<{ id: string }>({
    method: 'POST',
    url: `${url}/v1/organizations`,
    headers: asOperator,
    body: { name: 'Bench', owner_user_id: crypto.randomUUID() },
  })
  await sendJson({
    method: 'PATCH',
    url: `${url}/v1/organizations/${organizationId}`,
    headers: asOperator,
    body: { tier: 'scale' },
  })
  const { key } = await sendJson<{ key: string }>({
    method: 'POST',
    url: `${url}/v1/api-keys`,
    headers: asService(organizationId),
    body: { name: 'bench' },
  })
  const headers = asService(organizationId)
  const eventTypeIds: string[] = []
  for (let made = 0; made < eventTypes; made++) {
    const { id } = await sendJson<{ id: string }>({
      method: 'POST',
      url: `${url}/v1/event-types`,
      headers,
      body: { title: 'Bench', slug: `bench-${made}`, duration_minutes: 30, minimum_notice_minutes: 0 },
    })
    const path = `/v1/event-types/${id}/availability`
    await sendJson({ method: 'PUT', url: url + path, headers, body: { rules: ALL_DAY } })
    eventTypeIds.push(id)
  }
  return { organizationId, key, eventTypeIds }
}

/** Starts that nobody has booked yet, spread over a year, or `stride` half hours apart. */
export function* freshStarts(stride = STRIDE): Generator<number, never> {
  const first = (Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS
  for (let index = 0; ; index++) yield first + ((index * stride) % (DAYS * 48)) * HALF_HOUR_MS
}

export function bookingOf(url: string, eventTypeId: string, start: number, key?: string): Request {
  return {
    method: 'POST',
    url: `${url}/v1/bookings`,
    ...(key && { headers: { Authorization: `Bearer ${key}` } }),
    body: {
      event_type_id: eventTypeId,
      start_time: new Date(start).toISOString(),
      invitee_name: 'Ada Lovelace',
      invitee_email: `ada-${start}@example.com`,
    },
  }
}

export function monthOf(url: string, eventTypeId: string): Request {
  const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const query = `event_type_id=${eventTypeId}&start=${dateIn(1)}&end=${dateIn(31)}&timezone=Europe/Berlin`
  return { method: 'GET', url: `${url}/v1/availability?${query}` }
}
