import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { PASS_ON_FREED_TIME } from '../../src/engine/freed-times/commands.ts'
import { askEventType } from '../../src/engine/turn/command.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  ALL_DAY,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  unique,
} from '../support/factories.ts'
import { type Service, serviceWith } from '../support/service-with.ts'

const HALF_HOUR_MS = 1_800_000
const SLOT = dayFromNow(3) + 20 * HALF_HOUR_MS
const OTHER = SLOT + 4 * HALF_HOUR_MS

/** The batch that strikes off freed time is under way until it arrives; the object that sent it is gone by then. */
function lateService() {
  let arrive = () => {}
  const arrives = new Promise<void>((go) => {
    arrive = go
  })
  let isSent = false
  async function pass<T>(ask: () => Promise<T>, queries: readonly string[]): Promise<T> {
    if (!isSent && queries.some((query) => /delete from "freed_times"/i.test(query))) {
      isSent = true
      await arrives
    }
    return ask()
  }
  const service = serviceWith({ DB: databaseThrough(pass) })
  const sent = () => vi.waitFor(() => expect(isSent).toBe(true), { timeout: 10_000, interval: 5 })
  return { ...service, sent, arrive: () => arrive() }
}

async function booked(next: Service) {
  const { liveKey: key } = await createOrganization()
  const { id } = await createEventType(key, { waitlist_enabled: true })
  const { body: booking } = await next.book(id, SLOT)
  const wait = async (start: number) => {
    const body = bookingInput(id, start, { invitee_email: `${unique('w')}@example.com` })
    const { status, body: entry } = await next.call('POST', '/v1/waitlist', { body })
    expect(status).toBe(201)
    return entry.id as string
  }
  const statusOf = async (entry: string) => {
    const { body } = await next.call('GET', `/v1/waitlist/${entry}`, { key })
    return body.status
  }
  const cancel = (by: Service) =>
    by.call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`, { body: {} })
  return { key, id, wait, statusOf, cancel }
}

describe('a batch that is carried out only after the next object of the event type has begun', () => {
  it('gives up a booking to an invitee who joined the waitlist in the meantime', async () => {
    const [late, next] = [lateService(), serviceWith({})]
    const { wait, statusOf, cancel } = await booked(next)
    const other = await wait(OTHER)
    const cancelled = cancel(late)
    await late.sent()
    const joined = await wait(SLOT)
    late.arrive()
    expect((await cancelled).status).toBe(200)
    await sweep(next.env, Date.now())
    expect([await statusOf(joined), await statusOf(other)]).toEqual(['promoted', 'waiting'])
  })

  it('gives up a booking to a waitlist entry if the hours were closed when the batch was sent', async () => {
    const [late, next] = [lateService(), serviceWith({})]
    const { key, id, wait, statusOf, cancel } = await booked(next)
    const waiting = await wait(SLOT)
    const hours = (rules: readonly unknown[]) =>
      next.call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules } })
    expect((await hours([])).status).toBe(200)
    const cancelled = cancel(late)
    await late.sent()
    expect((await hours(ALL_DAY)).status).toBe(200)
    late.arrive()
    expect((await cancelled).status).toBe(200)
    await sweep(next.env, Date.now())
    expect(await statusOf(waiting)).toBe('promoted')
  })

  it.each([
    ['somebody waits for another slot', [OTHER]],
    ['nobody waits', []],
  ])('keeps released time that a waitlist entry can use by then, also if %s before', async (_, others) => {
    const [late, next] = [lateService(), serviceWith({})]
    const { id, wait, statusOf, cancel } = await booked(next)
    expect((await cancel(next)).status).toBe(200)
    for (const start of others) await wait(start)
    await env.DB.prepare(
      'INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, ?, ?, ?)',
    )
      .bind(id, unique('source'), SLOT, SLOT + HALF_HOUR_MS)
      .run()
    const told = askEventType(late.env, id, PASS_ON_FREED_TIME, { eventTypeId: id, now: realNow() })
    await late.sent()
    const joined = await wait(SLOT)
    late.arrive()
    await told
    await sweep(next.env, Date.now())
    expect(await statusOf(joined)).toBe('promoted')
  })
})
