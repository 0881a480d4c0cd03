import { sendJson } from './http.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Gives an event type hosts who take turns and have 200 bookings each, half of them over: from a quarter past every
 * third hour on, so that of three hours two are free.
 */
export async function addHosts(
  url: string,
  key: string,
  eventTypeId: string,
  count: number,
  also: readonly string[] = [],
): Promise<void> {
  for (const id of [eventTypeId, ...also])
    await sendJson({
      method: 'PATCH',
      url: `${url}/v1/event-types/${id}`,
      headers: { Authorization: `Bearer ${key}` },
      body: { assignment_strategy: 'round_robin' },
    })
  const body = { event_type_id: eventTypeId, count, first: firstBusy(), also }
  await sendJson({ method: 'POST', url: `${url}/bench/hosts`, body })
}

/** When the first of these bookings begins. */
export function firstBusy(): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS - 100 * 3 * HOUR_MS + HOUR_MS / 4
}
