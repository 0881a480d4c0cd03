import { compare, type Runner } from './compare.ts'
import { addHosts } from './hosts.ts'
import { type Request, sendJson } from './http.ts'
import type { Service } from './service.ts'
import { asService, createSubject, monthOf } from './subject.ts'
import { COUNT_HEAD, countRow, table } from './table.ts'

const HOSTS = 50
const ROUNDS = 150
/** Zones whose clocks differ by whole and by broken hours. */
const ZONES = ['Asia/Tokyo', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu', 'UTC']
const WORKING_DAYS = [1, 2, 3, 4, 5].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}))

/** Gives every host of the event type a schedule in a zone of their own and a day off. */
async function giveHours(url: string, organizationId: string, eventTypeId: string): Promise<void> {
  const headers = asService(organizationId)
  const ask = <T>(method: Request['method'], path: string, body?: unknown) =>
    sendJson<T>({ method, url: url + path, headers, ...(body !== undefined && { body }) })
  await ask('PATCH', `/v1/event-types/${eventTypeId}`, { hours_from: 'hosts' })
  const { data } = await ask<{ data: readonly { member_id: string }[] }>(
    'GET',
    `/v1/event-types/${eventTypeId}/hosts`,
  )
  for (const [at, { member_id }] of data.entries()) {
    await ask('POST', '/v1/schedules', {
      name: 'Working hours',
      timezone: ZONES[at % ZONES.length],
      rules: WORKING_DAYS,
      member_id,
      is_default: true,
    })
    const date = new Date(Date.now() + (1 + (at % 30)) * 86_400_000).toISOString().slice(0, 10)
    await ask('POST', '/v1/time-off', { member_ids: [member_id], start: date, end: date })
  }
}

/**
 * A month of fifty hosts with 200 bookings each, asked for after the event type changed, so that nothing of the answer is
 * known: with the event type's hours, and with hours, a zone and time off of everybody's own.
 */
export async function benchHours(service: Service): Promise<string[]> {
  const { url } = service
  const { organizationId, key, eventTypeIds } = await createSubject(url, 2)
  const [shared, own] = eventTypeIds as [string, string]
  await addHosts(url, key, shared, HOSTS)
  await addHosts(url, key, own, HOSTS)
  await giveHours(url, organizationId, own)
  let notice = 0
  const runner = (name: string, id: string): Runner => ({
    name,
    next: () => monthOf(url, id),
    prepare: async () => {
      notice = 1 - notice
      const path = `/v1/event-types/${id}`
      const body = { minimum_notice_minutes: notice }
      await sendJson({ method: 'PATCH', url: url + path, headers: asService(organizationId), body })
    },
    seconds: 10,
    most: 1,
  })
  const runners = [
    runner("in the event type's hours", shared),
    runner('each in hours and a zone of their own, with a day off', own),
  ]
  const compared = await compare(runners, ROUNDS)
  const floor = compared[0]!.p50
  const rows: string[][] = []
  const counts: string[][] = []
  for (const [at, { name, p50 }] of compared.entries()) {
    const { next, prepare } = runners[at]!
    const { slots } = await sendJson<{ slots: readonly unknown[] }>(next())
    rows.push([name, String(slots.length), p50.toFixed(1), `${(p50 / floor).toFixed(1)} x`])
    await prepare!()
    counts.push(countRow(name, await service.count(() => sendJson(next())), 1))
  }
  return [
    ...table(['A month of 50 hosts with 200 meetings each, over HTTP', 'Open starts', 'ms', 'Ratio'], rows),
    '',
    ...table(COUNT_HEAD, counts),
  ]
}
