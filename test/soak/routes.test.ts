import { afterEach, expect, it, vi } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { routes } from '../routes/kinds.ts'
import { chance } from '../support/draws.ts'
import type { Bank } from './bank.ts'
import type { Calendars } from './calendars.ts'
import type { Asked, Json } from './caller.ts'
import { Ledger } from './ledger.ts'
import { Operations, type Providers } from './operations.ts'
import type { Phones } from './phones.ts'
import { makeWorld } from './world.ts'

const DRAWS = 6_000
const SECOND_MS = 1_000

/** The routes that change something and that no client of a soak calls, by the reason. */
const NOT_CALLED: Readonly<Record<string, readonly string[]>> = {
  'It changes no booking; test/people and test/booking try it.': [
    'DELETE /v1/api-keys/:id',
    'POST /v1/api-keys',
    'POST /v1/console-links',
    'DELETE /v1/branding/logo',
    'DELETE /v1/branding/logo-dark',
    'PATCH /v1/branding',
    'PUT /v1/branding/logo',
    'PUT /v1/branding/logo-dark',
    'DELETE /v1/email-texts/:kind',
    'PUT /v1/email-texts/:kind',
    'POST /v1/email-texts/:kind/preview',
    'DELETE /v1/organizations/:orgId/members/:memberId/avatar',
    'PUT /v1/organizations/:orgId/members/:memberId/avatar',
    'PATCH /v1/organizations/:orgId/members/:memberId',
    'PATCH /v1/clients/:contact',
    'POST /v1/organizations/:orgId/transfer-ownership',
    'DELETE /v1/organizations/:orgId/invitations/:invitationId',
    'POST /v1/support',
    'POST /v1/bookings/:id/manage-link',
    'DELETE /v1/calendar-feeds/:id',
    'POST /v1/calendar-feeds',
    'POST /v1/email-verifications',
  ],
  'It takes away what the auditor compares; test/operations tries it with crashes in between.': [
    'DELETE /v1/people/:email',
    'DELETE /v1/operator/organizations/:id',
    'DELETE /v1/operator/organizations/:id/deletion',
  ],
  'It ends what other operations need; its own tests are in test/booking, test/calendars, test/delivery and test/money.':
    [
      'DELETE /v1/event-types/:id',
      'DELETE /v1/resources/:id',
      'DELETE /v1/webhooks/:id',
      'DELETE /v1/calendars/:id',
      'DELETE /v1/conferencing/:provider',
      'DELETE /v1/payment-provider',
      'PATCH /v1/webhooks/:id',
      'POST /v1/webhooks/:id/rotate-secret',
    ],
  'The receiver accepts every event in the end, so nothing is left to it; test/delivery and test/e2e/webhooks try it.':
    [
      'POST /v1/webhooks/:id/deliveries/:deliveryId/retry',
      'POST /v1/webhooks/:id/test',
      'POST /v1/webhooks/:id/verify',
      'POST /v1/test-data/webhook',
    ],
  'The hours of people change as those of event types do here; test/booking/hours-storm.test.ts draws them.':
    [
      'DELETE /v1/schedules/:id',
      'PATCH /v1/schedules/:id',
      'POST /v1/schedules',
      'PATCH /v1/time-off/:id',
      'PATCH /v1/event-types/:id/hosts/:hostId',
    ],
  'Calendars are of a CalDAV double here; test/calendars tries other providers and connections.': [
    'PATCH /v1/calendars/:id',
    'POST /v1/calendars',
    'POST /v1/calendars/calendar_a/notifications',
    'POST /v1/calendars/calendar_b/notifications',
    'POST /v1/calendars/ics/connect',
    'POST /v1/calendars/invitations',
    'POST /v1/conferencing/video_a/deauthorization',
  ],
  'Plans are tried in test/money, and what phones send in test/e2e/text-messages.test.ts; the double itself reports texts.':
    [
      'POST /v1/sms/twilio/inbound',
      'POST /v1/sms/twilio/status',
      'POST /v1/subscription/cancel',
      'POST /v1/subscription/checkout',
      'POST /v1/subscription/portal',
      'POST /v1/subscription/resume',
    ],
  'Whole organizations move in test/e2e/move.test.ts and test/e2e/import-crash.test.ts.': [
    'POST /v1/import',
    'POST /v1/import/calcom',
    'POST /v1/import/calendly',
    'DELETE /v1/operator/moves/:orgId',
    'PUT /v1/operator/moves/:orgId',
  ],
  'The sandbox takes no part in a soak, whose clients are live.': [
    'DELETE /v1/test-data',
    'POST /v1/test-data',
    'PUT /v1/test-data/clock',
    'POST /v1/test-data/payments/:id/dispute',
    'POST /v1/test-data/payments/:id/fail',
    'POST /v1/test-data/payments/:id/process',
    'POST /v1/test-data/payments/:id/succeed',
  ],
}

afterEach(() => vi.restoreAllMocks())

const writes = routes.filter(({ method }) => method !== 'GET')

function routeOf({ method, path }: Asked): Route | undefined {
  const [asked] = path.split('?') as [string]
  return routes.find((route) => {
    const pattern = `^${route.path.replace(/:\w+/g, '[^/]+')}$`
    return route.method === method && new RegExp(pattern).test(asked)
  })
}

/** A response in which every operation finds what it reads. */
function bodyOf({ body }: Asked): Json {
  const given = (body ?? {}) as Json
  const id = crypto.randomUUID()
  const start_time = given.start_time ?? '2030-01-07T09:00:00.000Z'
  const one = { id, token: 'token', cancel_token: 'token', status: 'confirmed', start_time, session_id: id }
  return {
    ...one,
    invitee_email: given.invitee_email,
    invitee_name: given.invitee_name,
    attendees: [{ id }],
    bookings: (given.starts ?? []).map((start: string) => ({ ...one, start_time: start })),
    skipped: [],
    booking_ids: [],
    data: [{ id }],
    payment: { id, client_secret: 'pi_1_secret_2' },
    verification_status: 'verified',
  }
}

it('clients of a soak call every route that changes something, or the table above says why not', async () => {
  const called = new Set<string>()
  const note = (asked: Asked) => {
    const route = routeOf(asked)
    expect(route, `${asked.method} ${asked.path}`).toBeDefined()
    called.add(`${route!.method} ${route!.path}`)
    return route!
  }
  const must = async (asked: Asked) => {
    note(asked)
    return bodyOf(asked)
  }
  const bank: Partial<Bank> = { noticesOf: async () => [{ headers: {}, body: '' }], pay: async () => null }
  bank.trouble = async () => {}
  const calendars: Partial<Calendars> = {
    open: async () => ({}),
    add: async () => null,
    eventsOf: async () => [],
  }
  Object.assign(calendars, { drag: async () => {}, drop: async () => {}, trouble: async () => {} })
  const phones: Partial<Phones> = { trouble: async () => {} }
  const providers = { bank, calendars, phones } as Providers
  const world = await makeWorld({ must }, 'https://receiver.test', providers.calendars, 2)
  const operations = new Operations(world, new Ledger(), chance(1), providers)
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  for (let drawn = 0; drawn < DRAWS; drawn++) {
    now += SECOND_MS
    const { asked, prepare, settle } = operations.next()
    const sent = prepare ? await prepare() : asked
    const { response } = note(sent)
    settle({ status: response?.status ?? 200, isReplay: false, body: bodyOf(sent) })
  }
  const left = writes.map(({ method, path }) => `${method} ${path}`).filter((route) => !called.has(route))
  expect(left.sort()).toEqual(Object.values(NOT_CALLED).flat().sort())
})
