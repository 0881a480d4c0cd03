import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { bookingRoutes } from '../../src/booking/bookings/routes.ts'
import { eventTypeRoutes } from '../../src/booking/event-types/routes.ts'
import type { healthRoutes } from '../../src/operations/health/routes.ts'
import type { Caller } from '../../src/platform/auth/caller.ts'
import { type As, act, demand } from '../../src/platform/http/act-as.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { Refused } from '../../src/platform/http/errors.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { createEventType, createOrganization } from '../support/factories.ts'

type Bookings = typeof bookingRoutes

/** Never called: the compiler checks it. Without the error that a line expects, `npm run types` fails. */
async function checkTypes(
  as: As,
  routes: Bookings,
  health: typeof healthRoutes,
  id: string,
  isOpen: boolean,
) {
  const start = { event_type_id: id, start_time: '2026-03-02T09:00:00Z' }
  const invitee = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }
  const params = { id }

  // What an endpoint takes and answers.
  const booked = await demand(as, routes.createBooking, { body: { ...start, ...invitee } })
  const token: string = booked.cancel_token
  const { data, has_more } = await demand(as, routes.listBookings, { query: { limit: 5 } })
  const isMore: boolean = has_more
  await demand(as, routes.listBookings)
  await demand(as, routes.cancelBooking, { params })
  await demand(as, routes.cancelBooking, { params, body: { ...(isOpen && { reason: 'ill' }) } })
  await demand(as, health.getHealth)
  // @ts-expect-error an answer has the endpoint's fields alone
  booked.cancelled
  // @ts-expect-error a list has rows of its kind
  data[0]?.cancel_token
  const acted = await act(as, routes.getBooking, { params })
  // @ts-expect-error a refusal has no body
  acted.body

  // A name that it does not take, written where it is sent.
  // @ts-expect-error in the body
  await act(as, routes.cancelBooking, { params, body: { reasons: 'ill' } })
  // @ts-expect-error in the query
  await act(as, routes.listBookings, { query: { page: 2 } })
  // @ts-expect-error in the path
  await act(as, routes.getBooking, { params: { bookingId: id } })
  // @ts-expect-error a body, if there is none
  await act(as, routes.approveBooking, { params, body: {} })

  // The same, built beforehand.
  const built = { ...start, ...invitee, colour: 'red' }
  // @ts-expect-error a body
  await act(as, routes.createBooking, { body: built })
  const either = isOpen ? { reason: 'ill' } : { reasons: 'ill' }
  // @ts-expect-error one of two bodies
  await act(as, routes.cancelBooking, { params, body: either })
  const maybe = { ...(isOpen && { reasons: 'ill' }) }
  // @ts-expect-error a part that may be missing
  await act(as, routes.cancelBooking, { params, body: maybe })
  const input = { params, query: { tokens: token } }
  // @ts-expect-error a whole input
  await act(as, routes.getBooking, input)
  const anything: Record<string, unknown> = built
  // @ts-expect-error names that nobody knows
  await act(as, routes.listBookings, { query: anything })

  // What is missing.
  // @ts-expect-error a field that must be there
  await act(as, routes.createBooking, { body: start })
  // @ts-expect-error the path
  await act(as, routes.getBooking)
  // @ts-expect-error an endpoint
  routes.bookSomething
  return isMore
}
void checkTypes

function asCaller(caller: Caller): As {
  const ctx: Context = {
    env,
    request: new Request('https://holdfast.test/console'),
    requestId: crypto.randomUUID(),
    now: realNow(),
    ipAddress: null,
    caller,
    claim: null,
    isDry: false,
  }
  return { contextFor: () => ctx }
}

const member = (organizationId: string, role: 'admin' | 'viewer'): Caller => ({
  kind: 'service',
  organizationId,
  isTest: false,
  onBehalfOf: { memberId: crypto.randomUUID(), userId: crypto.randomUUID(), role, name: 'Grace Hopper' },
})

describe('an endpoint that is called from inside', () => {
  it('answers as it does from outside', async () => {
    const organization = await createOrganization()
    const { id, title } = await createEventType(organization.liveKey)
    const as = asCaller(member(organization.id, 'viewer'))
    const found = await demand(as, eventTypeRoutes.getEventType, { params: { id } })
    expect(found.title).toBe(title)
    const { data } = await demand(as, eventTypeRoutes.listEventTypes, { query: { limit: 1, active: true } })
    expect(data.map((one) => one.id)).toEqual([id])
  })

  it('validates its input, and finds nothing under a malformed id', async () => {
    const organization = await createOrganization()
    const as = asCaller(member(organization.id, 'admin'))
    const body = { title: '', slug: 'intro', duration_minutes: 'half an hour' }
    const acted = await act(as, eventTypeRoutes.createEventType, { body })
    expect(acted).toMatchObject({ ok: false, refusal: { code: 'validation_error' } })
    const refusalOf = async (isTyped?: true) => {
      const input = { params: { id: 'none' }, ...(isTyped && { isTyped }) }
      const asked = await act(as, eventTypeRoutes.getEventType, input)
      return asked.ok ? null : asked.refusal.code
    }
    expect([await refusalOf(), await refusalOf(true)]).toEqual(['not_found', 'validation_error'])
  })

  it('refuses whom the route does not permit', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const as = asCaller(member(organization.id, 'viewer'))
    const acted = await act(as, eventTypeRoutes.deleteEventType, { params: { id } })
    expect(acted).toMatchObject({ ok: false, refusal: { code: 'forbidden' } })
    const deleted = demand(as, eventTypeRoutes.deleteEventType, { params: { id } })
    await expect(deleted).rejects.toBeInstanceOf(Refused)
  })
})
