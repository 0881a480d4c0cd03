import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { newApiKey } from '../src/auth/api-key.ts'
import { ROLES, type Role } from '../src/auth/caller.ts'
import { ERRORS, type ErrorCode } from '../src/http/errors.ts'
import { ownerFinder } from '../src/http/find-route.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import type { Route } from '../src/http/route.ts'
import { openDocumented, rooms } from '../src/routes.ts'
import { type Answered, type Call, call, freshAddress, type Json } from './support/app.ts'
import {
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
  type Organization,
} from './support/factories.ts'
import { memberWithRole, userWithRole } from './support/members.ts'
import { stayInOneMinute } from './support/minute.ts'
import {
  asService,
  bearer,
  type HeaderMap,
  isOfBothModes,
  keyOf,
  MODES,
  type Mode,
  modeOf,
  needsOrganization,
  type Prepared,
  prepare,
  RECIPES,
  recipeOf,
} from './support/recipes.ts'
import { everythingOf, liveThingsOf } from './support/rows.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * The least role that may do it, by the member that X-User-Id names. `nobody`: the route is about no
 * organization that a member could belong to. `everybody`: the route asks for no caller at all.
 */
const LEAST_ROLE: Readonly<Record<string, Role | 'nobody' | 'everybody'>> = {
  createOrganization: 'nobody',
  createConsoleLink: 'nobody',
  getOrganizationOfOwner: 'viewer',
  updateOrganization: 'admin',
  listMyOrganizations: 'viewer',
  getListingPage: 'everybody',
  getEventPage: 'everybody',
  getPublicEventType: 'everybody',
  createEventType: 'admin',
  listEventTypes: 'viewer',
  getEventType: 'viewer',
  updateEventType: 'admin',
  deleteEventType: 'admin',
  putAvailabilityRules: 'admin',
  getAvailabilityRules: 'viewer',
  listOpenSlots: 'everybody',
  searchOpenStarts: 'everybody',
  explain: 'viewer',
  createSchedule: 'admin',
  listSchedules: 'viewer',
  getSchedule: 'viewer',
  updateSchedule: 'admin',
  deleteSchedule: 'admin',
  createTimeOff: 'admin',
  listTimeOff: 'viewer',
  updateTimeOff: 'admin',
  deleteTimeOff: 'admin',
  addHost: 'admin',
  listHosts: 'viewer',
  updateHost: 'admin',
  removeHost: 'admin',
  requestEmailVerification: 'everybody',
  createBooking: 'member',
  listBookings: 'viewer',
  getBooking: 'viewer',
  cancelBooking: 'member',
  rescheduleBooking: 'member',
  recordAttendance: 'member',
  approveBooking: 'member',
  declineBooking: 'member',
  createHold: 'member',
  getHold: 'viewer',
  releaseHold: 'member',
  confirmHold: 'member',
  joinWaitlist: 'member',
  listWaitlist: 'viewer',
  getWaitlistEntry: 'viewer',
  leaveWaitlist: 'member',
  listMembers: 'viewer',
  getMember: 'viewer',
  updateMember: 'admin',
  removeMember: 'admin',
  transferOwnership: 'owner',
  createInvitation: 'admin',
  listInvitations: 'viewer',
  revokeInvitation: 'admin',
  acceptInvitation: 'admin',
  createApiKey: 'admin',
  listApiKeys: 'viewer',
  revokeApiKey: 'admin',
  exportPerson: 'owner',
  erasePerson: 'owner',
  getUsage: 'viewer',
  getUsageSummary: 'viewer',
  listActivity: 'viewer',
  getBranding: 'viewer',
  updateBranding: 'admin',
  connectPaymentProvider: 'admin',
  getPaymentProviderStatus: 'viewer',
  disconnectPaymentProvider: 'admin',
  listPayments: 'viewer',
  getPaymentSummary: 'viewer',
  getPayment: 'viewer',
  refundPayment: 'admin',
  syncPayment: 'admin',
  processTestPayment: 'admin',
  disputeTestPayment: 'admin',
  getBookingPayment: 'member',
  succeedTestPayment: 'admin',
  failTestPayment: 'admin',
  receiveProviderEvent: 'everybody',
  getSubscription: 'viewer',
  startCheckout: 'admin',
  openBillingPortal: 'admin',
  cancelSubscription: 'admin',
  resumeSubscription: 'admin',
  createSupportRequest: 'member',
  listSupportRequests: 'viewer',
  createTestData: 'admin',
  deleteTestData: 'admin',
  listOutbox: 'admin',
  setClock: 'admin',
  createCalendarFeed: 'admin',
  listCalendarFeeds: 'viewer',
  revokeCalendarFeed: 'admin',
  listCalendars: 'viewer',
  listCalendarAccounts: 'viewer',
  addCalendar: 'admin',
  updateCalendar: 'admin',
  connectCaldav: 'admin',
  connectIcs: 'admin',
  connectGoogle: 'admin',
  connectMicrosoft: 'admin',
  askMicrosoftAdministrator: 'admin',
  disconnectCalendar: 'admin',
  receiveGoogleNotification: 'everybody',
  receiveMicrosoftNotifications: 'everybody',
  syncCalendar: 'member',
  listConferencing: 'viewer',
  connectZoom: 'admin',
  connectGoogleMeet: 'admin',
  connectMicrosoftTeams: 'admin',
  disconnectConferencing: 'admin',
  receiveZoomNotification: 'everybody',
  createWebhookEndpoint: 'admin',
  listWebhookEndpoints: 'viewer',
  getWebhookEndpoint: 'viewer',
  updateWebhookEndpoint: 'admin',
  deleteWebhookEndpoint: 'admin',
  verifyWebhookEndpoint: 'admin',
  testWebhookEndpoint: 'admin',
  rotateWebhookSecret: 'admin',
  listWebhookDeliveries: 'viewer',
  retryWebhookDelivery: 'admin',
  listEvents: 'viewer',
  getHealth: 'everybody',
  getOperatorHealth: 'nobody',
  exportOrganization: 'owner',
  importOrganization: 'nobody',
  beginMove: 'nobody',
  endMove: 'nobody',
  deleteOrganization: 'nobody',
  getDeletion: 'nobody',
  takeBackDeletion: 'nobody',
  getOpenApiDocument: 'everybody',
  getRequestCollection: 'everybody',
}
const RISING: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** What the route needs to be let in. */
function credentials(route: Route, organization: Organization, mode: Mode = modeOf(route)): HeaderMap {
  if (route.auth === 'none') return {}
  if (route.auth === 'service') return bearer(env.SERVICE_KEY)
  const isKeyless = route.permission === 'service-only' || (route.scope === 'shared' && mode === 'test')
  if (isKeyless) return asService(organization, { 'X-Service-Mode': mode })
  return bearer(keyOf(organization, mode))
}

/** Every refusal that any test of this file has seen, by operation. */
const seen = new Map<string, Set<string>>()

function note(route: Route, answer: Answered): Answered {
  expect(answer.headers.get('X-Request-Id')).toMatch(UUID)
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
  if (answer.status < 400) return answer
  const { code, message } = answer.body.error
  expect(message).toEqual(expect.any(String))
  expect(ERRORS[code as ErrorCode].status).toBe(answer.status)
  const refusals = seen.get(route.operationId) ?? new Set()
  seen.set(route.operationId, refusals.add(code))
  return answer
}

async function ask(route: Route, path: string, options: Call = {}): Promise<Answered> {
  return note(route, await call(route.method, path, options))
}

/** The request of `prepared` with more headers, and a body where there is one. */
function send(route: Route, prepared: Prepared, headers: HeaderMap, changed?: unknown) {
  const sent = changed === undefined ? prepared.body : changed
  const all = { ...prepared.headers, ...headers }
  return ask(route, prepared.path, { headers: all, ...(sent !== undefined && { body: sent }) })
}

function expectGood(route: Route, answer: Answered): void {
  const instead = recipeOf(route).insteadOfGood
  if (instead) expect(refusalOf(answer)).toEqual([ERRORS[instead].status, instead])
  else expect(answer.status).toBe(route.response.status)
}

function refusalOf({ status, body }: Answered): [number, ErrorCode | undefined] {
  return [status, body?.error?.code]
}

async function sendBytes(
  route: Route,
  path: string,
  headers: HeaderMap,
  bytes: Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<Answered> {
  const response = await exports.default.fetch(
    new Request(`https://holdfast.test${path}`, {
      method: route.method,
      headers: { 'CF-Connecting-IP': freshAddress(), 'Content-Type': 'application/json', ...headers },
      body: bytes,
    }),
  )
  const body = JSON.parse(await response.text())
  return note(route, { status: response.status, headers: response.headers, body })
}

/** The route's path with every parameter replaced. */
function pathWith(route: Route, parameter: string): string {
  return route.path.replace(/:\w+/g, parameter)
}

/** The path with each parameter alone replaced, and with all of them; the query stays. */
function pathsWith(route: Route, path: string, parameter: string): Set<string> {
  const parts = route.path.split('/')
  const [bare, query] = path.split('?')
  const real = bare!.split('/')
  const alone = parts.flatMap((part, at) =>
    part.startsWith(':') ? [real.with(at, parameter).join('/')] : [],
  )
  const all = [...alone, pathWith(route, parameter)]
  return new Set(query === undefined ? all : all.map((one) => `${one}?${query}`))
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

const WRONG_VALUES = [{}, 'no such thing', 1.5, []]

function shapeOf(schema: z.ZodObject | undefined): [string, z.ZodType][] {
  return Object.entries(schema?.shape ?? {}) as [string, z.ZodType][]
}

function isPublic({ auth }: Route): boolean {
  return auth === 'none' || auth === 'optional-key' || auth === 'key-or-token'
}

function takesApiKeys({ auth }: Route): boolean {
  return auth !== 'none' && auth !== 'service'
}

/** A key made for an admin, or the owner, who has that role now. */
async function keyOfMember(organization: Organization, role: Role, mode: Mode): Promise<string> {
  const { id, userId } = await memberWithRole(organization, role === 'owner' ? 'owner' : 'admin')
  const { key } = await createKey(organization.id, mode, {}, userId)
  const isChanged = role === 'member' || role === 'viewer'
  const path = `/v1/organizations/${organization.id}/members/${id}`
  if (isChanged) await call('PATCH', path, { key: organization.liveKey, body: { role } })
  return key
}

/** What keys of another organization or the other mode are told. */
function unseenBy(route: Route, mode: Mode): [number, ErrorCode] {
  return route.scope === 'shared' && mode === 'test' ? [403, 'forbidden'] : [404, 'not_found']
}

/** Whether X-User-Id is whom it is about, and not on whose behalf the service key acts. */
function isAboutUser({ request }: Route): boolean {
  return 'x-user-id' in (request.headers?.shape ?? {})
}

const documented = await openDocumented()
const { routes } = documented

const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

let deadKeys: { revoked: string; expired: string; unknown: string }
/** Somebody else, about whom no test is. */
let neighbour: Organization

beforeAll(async () => {
  const organization = await createOrganization()
  neighbour = await createOrganization()
  const revoked = await createKey(organization.id)
  await call('DELETE', `/v1/api-keys/${revoked.id}`, { key: organization.liveKey })
  const expired = await createKey(organization.id)
  await env.DB.prepare('UPDATE api_keys SET expires_at = ? WHERE id = ?')
    .bind(Date.now() - 1, expired.id)
    .run()
  const unknown = newApiKey('live')
  deadKeys = { revoked: revoked.key, expired: expired.key, unknown }
})

describe('the tables of this suite', () => {
  it('cover every route and nothing else', () => {
    const operations = routes.map((route) => route.operationId).sort()
    expect(Object.keys(RECIPES).sort()).toEqual(operations)
    expect(Object.keys(LEAST_ROLE).sort()).toEqual(operations)
  })
})

/** An organization and a request that succeeds in it. */
type World = { readonly organization: Organization; readonly prepared: Prepared }

async function makeWorld(route: Route, mode = modeOf(route)): Promise<World> {
  const organization = await createOrganization()
  return { organization, prepared: await prepare(route, organization, mode) }
}

describe('the rooms', () => {
  const findRoom = ownerFinder(rooms.flatMap((room) => room.at.map((path) => ({ path, value: room }))))

  it.each(rooms.map((room) => [room.at.join(', '), room] as const))(
    'hold at %s whatever is asked there',
    async (_, room) => {
      const paths = (await room.open()).map(({ path }) => path)
      expect(paths.filter((path) => findRoom(path) !== room)).toEqual([])
      expect(room.at.filter((begin) => !paths.some((path) => path.startsWith(begin)))).toEqual([])
    },
  )
})

describe.each(named)('%s', (_, route) => {
  let shared: Promise<World> | undefined
  /** The one world of the route, with a request that no test has let succeed. */
  const untouched = () => {
    shared ??= makeWorld(route)
    return shared
  }
  /** The same, with a request of one's own where it changes something. */
  const world = async (mode = modeOf(route)): Promise<World> => {
    if (recipeOf(route).changesOrganization) return makeWorld(route, mode)
    const { organization, prepared } = await untouched()
    const isShared = route.method === 'GET' && mode === modeOf(route)
    return { organization, prepared: isShared ? prepared : await prepare(route, organization, mode) }
  }

  it('answers as its schema says, with nothing unlisted in it', async () => {
    const { organization, prepared } = await world()
    const answer = await send(route, prepared, credentials(route, organization))
    expectGood(route, answer)
    if (recipeOf(route).insteadOfGood) {
      const { code, message } = answer.body.error
      expect(answer.body).toEqual({ error: { code, message, ...told(answer, code) } })
    } else if (!route.response.body) expect(answer.body).toBeUndefined()
    else expect(route.response.body.parse(answer.body)).toEqual(answer.body)
    if (route.response.body) {
      expect(answer.headers.get('Cache-Control')).toMatch(/^(no-store|public, max-age=\d+)$/)
    }
    expect(answer.headers.has('WWW-Authenticate')).toBe(false)
  })

  if (route.auth !== 'none') {
    it('answers 401 to a key that is revoked, expired, unknown or no key', async () => {
      const { organization, prepared } = await world()
      const authorizations = [
        ...Object.values(deadKeys).map((key) => `Bearer ${key}`),
        'Bearer',
        'Bearer ',
        'Bearer nonsense',
        `Bearer ${env.SERVICE_KEY}x`,
        `Basic ${btoa('user:password')}`,
        keyOf(organization, modeOf(route)),
      ]
      for (const authorization of authorizations) {
        const answer = await send(route, prepared, { Authorization: authorization })
        expect([authorization, answer.status]).toEqual([authorization, 401])
        expect(answer.body.error.code).toBe('unauthorized')
        expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
      }
      const proof = await send(route, prepared, credentials(route, organization))
      expectGood(route, proof)
    })
  }

  // What confirms a hold is its token, with a key and without one.
  if (!isPublic(route) || (route.auth === 'key-or-token' && route.operationId !== 'confirmHold')) {
    it('answers 401 without a key', async () => {
      const { prepared } = await untouched()
      const answer = await send(route, prepared, {})
      expect(answer.status).toBe(401)
      expect(answer.body.error.code).toBe('unauthorized')
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    })
  }

  if (route.auth === 'service') {
    it('answers 401 to an API key', async () => {
      const { organization, prepared } = await untouched()
      for (const key of [organization.liveKey, organization.testKey]) {
        const answer = await send(route, prepared, bearer(key))
        expect(answer.status).toBe(401)
        expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
      }
    })
  }

  if (needsOrganization(route)) {
    it('needs to know from the service key which organization, mode and member it acts for', async () => {
      const { organization, prepared } = await world()
      const as = (headers: HeaderMap) => send(route, prepared, { ...bearer(env.SERVICE_KEY), ...headers })

      for (const orgId of [undefined, '', 'nope', `${organization.id}0`]) {
        const answer = await as(orgId === undefined ? {} : { 'X-Org-Id': orgId })
        expect([orgId, answer.status]).toEqual([orgId, 400])
        expect(answer.body.error).toMatchObject({
          code: 'validation_error',
          details: { 'X-Org-Id': expect.any(String) },
        })
      }
      const unknown = await as({ 'X-Org-Id': crypto.randomUUID() })
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found'])

      for (const userId of ['', 'stranger', neighbour.ownerUserId]) {
        const answer = await as({ 'X-Org-Id': organization.id, 'X-User-Id': userId })
        expect([userId, answer.status, answer.body.error.code]).toEqual([userId, 403, 'forbidden'])
      }
      const mode = modeOf(route)
      const proof = await as({ 'X-Org-Id': organization.id.toUpperCase(), 'X-Service-Mode': mode })
      expectGood(route, proof)
    })
  } else if (route.auth !== 'none') {
    it('takes the service key without an organization', async () => {
      const { prepared } = await world()
      const answer = await send(route, prepared, bearer(env.SERVICE_KEY))
      expectGood(route, answer)
    })
  }

  if (route.auth !== 'none') {
    it('knows no service mode but live and test', async () => {
      const { organization, prepared } = await untouched()
      for (const mode of ['', 'sandbox', 'LIVE']) {
        const answer = await send(route, prepared, asService(organization, { 'X-Service-Mode': mode }))
        expect([mode, ...refusalOf(answer)]).toEqual([mode, 400, 'validation_error'])
        expect(answer.body.error.details).toHaveProperty('X-Service-Mode')
      }
    })
  }

  if (route.auth === 'key-or-operator') {
    const takenFrom = route.scope === 'shared' ? (['live'] as const) : MODES
    it.each(takenFrom)('takes keys of the organization that it is about alone, made for %s', async (mode) => {
      const { organization, prepared } = await world(mode)
      const otherMode = mode === 'live' ? 'test' : 'live'
      for (const [key, of] of [
        [neighbour.liveKey, 'live'],
        [neighbour.testKey, 'test'],
        [keyOf(organization, otherMode), otherMode],
      ] as const) {
        expect(refusalOf(await send(route, prepared, bearer(key)))).toEqual(unseenBy(route, of))
      }
      expectGood(route, await send(route, prepared, bearer(keyOf(organization, mode))))
    })
  }

  if (route.method === 'GET') {
    it('answers HEAD as it answers GET, without the body, and counts it alike', async () => {
      const {
        organization,
        prepared: { path, headers },
      } = await untouched()
      const sent = { headers: { ...headers, ...credentials(route, organization) } }
      stayInOneMinute(5)
      const get = await call('GET', path, sent)
      const head = await call('HEAD', path, sent)
      const told = ({ headers: all }: Answered) =>
        Object.fromEntries(
          [...all].filter(([name]) => !/^(x-request-id|x-ratelimit-.*|content-length)$/.test(name)),
        )
      expect([head.status, head.body, told(head)]).toEqual([get.status, undefined, told(get)])
      // How long lines are that come one after the other is known when all are there.
      if (!route.response.contentType) {
        expect(head.headers.get('Content-Length')).toBe(
          String(new TextEncoder().encode(JSON.stringify(get.body)).byteLength),
        )
      }
      const [before, after] = [get, head].map((one) => one.headers.get('X-RateLimit-Remaining'))
      const taken = before === null ? 0 : Number(before) - Number(after)
      expect(taken).toBe(before !== null && route.limit === 'counted' ? 1 : 0)
    })
  }

  if (route.ignoresUnknownQuery) {
    it('takes what whoever sends the caller here adds to the query', async () => {
      const { organization, prepared } = await world()
      const path = withQuery(prepared.path, 'extra=1&extra=2')
      expectGood(route, await send(route, { ...prepared, path }, credentials(route, organization)))
    })
  } else {
    it('refuses query parameters that it does not know, once it knows who asks', async () => {
      const { organization, prepared } = await world()
      for (const query of ['nonsense', '_=1', 'Limit=1', '__proto__=1']) {
        const asked = { ...prepared, path: withQuery(prepared.path, query) }
        const answer = await send(route, asked, credentials(route, organization))
        expect([query, ...refusalOf(answer)]).toEqual([query, 400, 'validation_error'])
        expect(Object.entries(answer.body.error.details)).toEqual([
          [query.split('=')[0], expect.stringMatching(/^Must not be sent: this endpoint takes .+\.$/)],
        ])
      }
      const asked = { ...prepared, path: withQuery(prepared.path, 'nonsense') }
      if (!isPublic(route)) expect((await send(route, asked, {})).status).toBe(401)
      expectGood(route, await send(route, prepared, credentials(route, organization)))
    })
  }

  if (route.hasDryRun) {
    it('takes a dry run, which changes nothing of the organization', async () => {
      const { organization, prepared } = await world()
      const before = await everythingOf(organization)
      const asked = { ...prepared, path: withQuery(prepared.path, 'dry_run=true') }
      const answer = await send(route, asked, credentials(route, organization))
      expect([answer.status, answer.headers.get('Dry-Run')]).toEqual([route.response.status, 'true'])
      expect(route.response.body!.parse(answer.body)).toEqual(answer.body)
      expect(await everythingOf(organization)).toEqual(before)
      const body = prepared.body ?? {}
      const wrong = await send(route, { ...asked, body: { ...body, event_type_id: 1 } }, bearer('nonsense'))
      expect([wrong.status, wrong.headers.get('Dry-Run')]).toEqual([401, 'true'])
    })
  } else {
    it('does nothing where a dry run is asked for, for it has none', async () => {
      const { organization, prepared } = await world()
      const path = withQuery(prepared.path, 'dry_run=true')
      const answer = await send(route, { ...prepared, path }, credentials(route, organization))
      expect([...refusalOf(answer), answer.headers.has('Dry-Run')]).toEqual([400, 'validation_error', false])
      expect(answer.body.error.details.dry_run).toMatch(/^Must not be sent: /)
    })
  }

  const parameters = Object.keys(route.request.query?.shape ?? {})
  if (parameters.length > 0) {
    it.each(parameters)('refuses %s twice, even when it says the same', async (name) => {
      const { organization, prepared } = await untouched()
      const path = withQuery(prepared.path.split('?')[0]!, `${name}=1&${name}=1`)
      const answer = await send(route, { ...prepared, path }, credentials(route, organization))
      expect(refusalOf(answer)).toEqual([400, 'validation_error'])
      expect(answer.body.error.details).toEqual({ [name]: 'Must be sent once.' })
    })
  }

  if (takesApiKeys(route) && route.scope === 'shared') {
    it('is forbidden to test keys, whatever they are about', async () => {
      const { onlyIn } = recipeOf(route)
      for (const mode of onlyIn ? [onlyIn] : MODES) {
        const { organization, prepared } = await world(mode)
        const before = await everythingOf(organization)
        const answer = await send(route, prepared, bearer(organization.testKey))
        expect(refusalOf(answer)).toEqual([403, 'forbidden'])
        expect(answer.body.error.message).toContain('use a live key')
        expect(await everythingOf(organization)).toEqual(before)
      }
    })
  } else if (takesApiKeys(route) && route.permission !== 'service-only') {
    it('leaves everything that is live as it was when a test key calls it', async () => {
      const { organization, prepared } = await world('test')
      const before = await liveThingsOf(organization)
      expectGood(route, await send(route, prepared, bearer(organization.testKey)))
      expect(await liveThingsOf(organization)).toEqual(before)
    })
  }

  if (takesApiKeys(route) && route.scope === 'read') {
    it('changes nothing', async () => {
      const { organization, prepared } = await world()
      const before = await everythingOf(organization)
      expectGood(route, await send(route, prepared, credentials(route, organization)))
      expect(await everythingOf(organization)).toEqual(before)
    })
  }

  const { onlyIn } = recipeOf(route)
  if (onlyIn) {
    it(`is forbidden to callers that are not in ${onlyIn} mode`, async () => {
      const { organization, prepared } = await world()
      const otherMode = onlyIn === 'live' ? 'test' : 'live'
      for (const headers of [
        bearer(keyOf(organization, otherMode)),
        asService(organization, { 'X-Service-Mode': otherMode }),
      ]) {
        expect(refusalOf(await send(route, prepared, headers))).toEqual([403, 'forbidden'])
      }
      const proof = await send(route, prepared, asService(organization, { 'X-Service-Mode': onlyIn }))
      expectGood(route, proof)
    })
  }

  const asked = route.request.headers
  if (asked) {
    it.each(shapeOf(asked).map(([name]) => name))('names the missing header %s', async (name) => {
      const {
        organization,
        prepared: { headers, ...prepared },
      } = await untouched()
      const rest = Object.entries(headers ?? {}).filter(([header]) => header.toLowerCase() !== name)
      const sent = { ...credentials(route, organization), ...Object.fromEntries(rest) }
      const answer = await send(route, prepared, sent)
      expect(refusalOf(answer)).toEqual([400, 'validation_error'])
      expect(answer.body.error.details).toEqual({ [name]: 'Is required.' })
    })
  }

  if (route.permission === 'service-only') {
    it('answers 403 to an API key', async () => {
      const { organization, prepared } = await untouched()
      for (const key of [organization.liveKey, organization.testKey]) {
        const answer = await send(route, prepared, bearer(key))
        expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
      }
    })
  }

  const leastRole = LEAST_ROLE[route.operationId]
  if (leastRole !== undefined && (ROLES as readonly string[]).includes(leastRole)) {
    it.each(RISING)(`takes it from ${leastRole} upwards: %s`, async (role) => {
      const isAllowed = RISING.indexOf(role) >= RISING.indexOf(leastRole as Role)
      const { organization, prepared } = await (isAllowed ? world() : untouched())
      const userId = await userWithRole(organization, role)
      const headers = { 'X-Service-Mode': modeOf(route), 'X-User-Id': userId }
      const answer = await send(route, prepared, asService(organization, headers))
      if (isAllowed) expectGood(route, answer)
      else expect(refusalOf(answer)).toEqual([403, 'forbidden'])
    })

    if (takesApiKeys(route) && route.permission !== 'service-only') {
      it(`takes it from keys of members who are ${leastRole} or more`, async () => {
        const at = RISING.indexOf(leastRole as Role)
        for (const role of RISING.slice(Math.max(0, at - 1), at + 1)) {
          const { organization, prepared } = await (role === leastRole ? world() : untouched())
          const answer = await send(
            route,
            prepared,
            bearer(await keyOfMember(organization, role, modeOf(route))),
          )
          if (role === leastRole) expectGood(route, answer)
          else expect(refusalOf(answer)).toEqual([403, 'forbidden'])
        }
      })
    }

    if (!isAboutUser(route)) {
      it('takes it from no stranger', async () => {
        const { organization, prepared } = await untouched()
        for (const userId of ['stranger', neighbour.ownerUserId]) {
          const headers = { 'X-Service-Mode': modeOf(route), 'X-User-Id': userId }
          const answer = await send(route, prepared, asService(organization, headers))
          expect(refusalOf(answer)).toEqual([403, 'forbidden'])
        }
      })
    }
  }

  if (route.path.includes(':')) {
    it('answers 404 to an id or a name that is unknown', async () => {
      const { organization, prepared } = await untouched()
      for (const path of pathsWith(route, prepared.path, crypto.randomUUID())) {
        const answer = await send(route, { ...prepared, path }, credentials(route, organization))
        expect([path, ...refusalOf(answer)]).toEqual([path, 404, 'not_found'])
      }
    })

    it.each(['nope!', '1', 'NOPE', '%20', '%zz', '%00', "'%20OR%201=1--"])(
      'knows nothing by the malformed id %s',
      async (id) => {
        const { organization, prepared } = await untouched()
        const expected = route.malformedId ? [400, 'validation_error'] : [404, 'not_found']
        for (const path of pathsWith(route, prepared.path, id)) {
          const answer = await send(route, { ...prepared, path }, credentials(route, organization))
          expect([path, ...refusalOf(answer)]).toEqual([path, ...expected])
        }
      },
    )

    if (needsOrganization(route)) {
      const fromOthers = isOfBothModes(route)
        ? 'other organizations'
        : 'other organizations and the other mode'
      const { onlyIn } = recipeOf(route)
      it.each(onlyIn ? [onlyIn] : MODES)(`hides what is %s from ${fromOthers}`, async (mode) => {
        const { organization, prepared } = await world(mode)
        const otherMode = mode === 'live' ? 'test' : 'live'
        const inMode = [credentials(route, neighbour, mode), asService(neighbour, { 'X-Service-Mode': mode })]
        const inOtherMode = [
          credentials(route, neighbour, otherMode),
          asService(neighbour, { 'X-Service-Mode': otherMode }),
        ]
        const ownOthers = [
          credentials(route, organization, otherMode),
          asService(organization, { 'X-Service-Mode': otherMode }),
        ]
        if (recipeOf(route).isOfAnybody) {
          const before = await everythingOf(organization)
          for (const headers of [...inMode, ...inOtherMode, ...ownOthers]) {
            expectGood(route, await send(route, prepared, headers))
          }
          expect(await everythingOf(organization)).toEqual(before)
          return
        }
        for (const headers of inMode) {
          expect(refusalOf(await send(route, prepared, headers))).toEqual([404, 'not_found'])
        }
        for (const headers of isOfBothModes(route) ? inOtherMode : [...inOtherMode, ...ownOthers]) {
          const expected = onlyIn ? [403, 'forbidden'] : [404, 'not_found']
          expect(refusalOf(await send(route, prepared, headers))).toEqual(expected)
        }
        expectGood(route, await send(route, prepared, credentials(route, organization, mode)))
        if (!isOfBothModes(route)) return
        for (const headers of ownOthers) {
          expectGood(route, await send(route, await prepare(route, organization, mode), headers))
        }
      })
    }

    if (route.auth === 'none' && !route.path.endsWith('/:orgSlug')) {
      it('hides what is test data', async () => {
        const { prepared } = await world('test')
        const answer = await send(route, prepared, {})
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
      })
    }
  }

  const schema = route.request.body
  if (schema) {
    const required = shapeOf(schema).filter(([, field]) => !field.safeParse(undefined).success)

    if (required.length > 0) {
      it.each(required.map(([name]) => name))('names the missing field %s', async (name) => {
        const { organization, prepared } = await untouched()
        const { [name]: _left, ...rest } = prepared.body ?? {}
        const answer = await send(route, prepared, credentials(route, organization), rest)
        expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
        expect(answer.body.error.details).toEqual({ [name]: 'Is required.' })
      })
    } else {
      it('takes an empty body', async () => {
        const {
          organization,
          prepared: { body: _left, ...prepared },
        } = await world()
        const answer = await send(route, prepared, credentials(route, organization))
        expectGood(route, answer)
      })
    }

    it.each(shapeOf(schema))('names the field %s when its type is wrong', async (name, field) => {
      const { organization, prepared } = await untouched()
      const wrong = WRONG_VALUES.find((value) => !field.safeParse(value).success)
      expect(wrong).toBeDefined()
      const bad = { ...prepared.body, [name]: wrong }
      const answer = await send(route, prepared, credentials(route, organization), bad)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
      expect(Object.keys(answer.body.error.details)).toEqual([name])
      expect(answer.body.error.details[name]).toMatch(/^[A-Z].*[.!?]$/)
    })

    it('ignores fields that it does not know', async () => {
      const { organization, prepared } = await world()
      const others = { no_such_field: 1, id: 'x', organization_id: 'x', is_test: true }
      const more = { ...others, ...prepared.body }
      const answer = await send(route, prepared, credentials(route, organization), more)
      expectGood(route, answer)
    })

    it.each(['{"a":', '{a: 1}', '[]', '[{}]', '"text"', '17', 'null', 'true', 'a=1'])(
      'answers 400 to the body %s',
      async (text) => {
        const { organization, prepared } = await untouched()
        const answer = await send(route, prepared, credentials(route, organization), text)
        expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
        expect(answer.body.error.details).toEqual({ body: expect.any(String) })
      },
    )

    it('answers 400 to a body that is no UTF-8', async () => {
      const {
        organization,
        prepared: { path },
      } = await untouched()
      const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
      const answer = await sendBytes(route, path, credentials(route, organization), bytes)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
    })

    it('takes 64 KiB and refuses a byte more, whether or not the length is declared', async () => {
      const { organization, prepared } = await world()
      const headers = credentials(route, organization)
      const text = JSON.stringify({ ...prepared.body, padding: '' })
      const bodyOf = (size: number) =>
        text.replace('"padding":""', `"padding":"${'x'.repeat(size - text.length)}"`)
      const fits = bodyOf(64 * 1024)
      const exceeds = bodyOf(64 * 1024 + 1)
      const bytes = new TextEncoder().encode(exceeds)
      const streamed = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 4096) controller.enqueue(bytes.slice(at, at + 4096))
          controller.close()
        },
      })

      for (const answer of [
        await send(route, prepared, headers, exceeds),
        await send(route, prepared, { ...headers, 'Content-Length': String(exceeds.length) }, exceeds),
        await sendBytes(route, prepared.path, headers, streamed),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
        expect(answer.body.error.details.body).toContain('64 KiB')
      }
      const answer = await send(route, prepared, headers, fits)
      expectGood(route, answer)
    })
  }

  if (isPublic(route)) {
    it('answers browsers of any origin, when it succeeds and when it refuses', async () => {
      const { organization, prepared } = await world()
      const origin = { Origin: 'https://somewhere.example' }
      const good = await send(route, prepared, { ...credentials(route, organization), ...origin })
      expectGood(route, good)
      expect(good.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(good.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id')
      if (route.path.includes(':')) {
        const bad = await ask(route, pathWith(route, 'NOPE'), { headers: origin })
        expect(bad.status).toBe(404)
        expect(bad.headers.get('Access-Control-Allow-Origin')).toBe('*')
      }
    })

    it('lets browsers ask beforehand', async () => {
      const { path } = (await untouched()).prepared
      const headers = { Origin: 'https://somewhere.example', 'Access-Control-Request-Method': route.method }
      const answer = await call('OPTIONS', path, { headers })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(answer.headers.get('Access-Control-Allow-Methods')!.split(', ')).toContain(route.method)
      expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('Idempotency-Key')
      expect(answer.headers.get('X-Request-Id')).toMatch(UUID)
    })
  } else {
    it('answers no other origin', async () => {
      const { organization, prepared } = await untouched()
      const origin = { Origin: 'https://somewhere.example' }
      for (const headers of [origin, { ...origin, ...credentials(route, organization) }]) {
        const answer = await send(route, prepared, headers)
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
      const preflight = await call('OPTIONS', prepared.path, {
        headers: { ...origin, 'Access-Control-Request-Method': route.method },
      })
      const isShared = routes.some((other) => other.path === route.path && isPublic(other))
      if (isShared) {
        const methods = preflight.headers.get('Access-Control-Allow-Methods')!.split(', ')
        expect(methods).not.toContain(route.method)
      } else {
        expect(preflight.status).toBe(404)
        expect(preflight.headers.has('Access-Control-Allow-Origin')).toBe(false)
      }
    })
  }

  if (route.method === 'POST') {
    it('gives its first answer again to the same Idempotency-Key', async () => {
      const { organization, prepared } = await world()
      const headers = { ...credentials(route, organization), 'Idempotency-Key': crypto.randomUUID() }
      const first = await send(route, prepared, headers)
      expectGood(route, first)
      expect(first.headers.has('Idempotent-Replayed')).toBe(false)
      const again = await send(route, prepared, headers)
      expect([again.status, again.body]).toEqual([first.status, first.body])
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    })
  }

  if (takesApiKeys(route)) {
    it('tells an API key its place in the window on every answer, and counts only what is counted', async () => {
      const { organization, prepared } = await world()
      const headers = bearer(keyOf(organization, modeOf(route)))
      stayInOneMinute()
      const answers = [
        await send(route, prepared, headers),
        await send(route, prepared, headers),
        ...(route.path.includes(':')
          ? [await send(route, { ...prepared, path: pathWith(route, 'nope') }, headers)]
          : []),
        ...(route.request.query
          ? [await send(route, { ...prepared, path: withQuery(prepared.path, 'limit=0&token[]=1') }, headers)]
          : []),
        ...(schema ? [await send(route, prepared, headers, '{')] : []),
      ]
      if (route.permission === 'service-only') expect(answers[0]!.status).toBe(403)
      else expectGood(route, answers[0]!)
      const reset = Math.floor(Date.now() / 60_000) * 60 + 60
      for (const answer of answers) {
        expect(answer.headers.get('X-RateLimit-Limit')).toBe('2000')
        expect(answer.headers.get('X-RateLimit-Reset')).toBe(String(reset))
        expect(answer.headers.has('Retry-After')).toBe(false)
      }
      const left = answers.map((answer) => Number(answer.headers.get('X-RateLimit-Remaining')))
      const step = route.limit === 'counted' ? 1 : 0
      expect(left).toEqual(left.map((_, at) => left[0]! - at * step))
    })
  } else {
    it('tells no rate window to callers without an API key', async () => {
      const { organization, prepared } = await world()
      const answer = await send(route, prepared, credentials(route, organization))
      expect(answer.headers.has('X-RateLimit-Limit')).toBe(false)
    })
  }
})

describe('API keys and the events they book', () => {
  it('books with a key only what its organization offers in its mode', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const body = bookingInput(id, dayFromNow(2))
    for (const key of [neighbour.liveKey, neighbour.testKey, organization.testKey]) {
      const answer = await call('POST', '/v1/bookings', { key, body })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
    }
    const own = await call('POST', '/v1/bookings', { key: organization.liveKey, body })
    expect(own.status).toBe(201)
  })
})

/** What every refusal says besides what is wrong. */
function told({ headers }: Answered, code: string) {
  const publicUrl = (env as unknown as { PUBLIC_URL: string }).PUBLIC_URL
  return { doc_url: `${publicUrl}/docs/errors#${code}`, request_id: headers.get('X-Request-Id') }
}

describe('what no route is for', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

  it.each(['/v1', '/v2/event-types', '/v1/nope', '/v1/event-types/x/y/z', '/HEALTH', '/v1/Bookings'])(
    'answers 404 with the error shape to %s',
    async (path) => {
      for (const method of METHODS) {
        const answer = await call(method, path)
        expect([method, answer.status]).toEqual([method, 404])
        expect(answer.body).toEqual({
          error: { code: 'not_found', message: expect.any(String), ...told(answer, 'not_found') },
        })
        expect(answer.headers.get('X-Request-Id')).toMatch(UUID)
        expect(answer.headers.get('Content-Type')).toContain('application/json')
      }
    },
  )

  it.each([...new Set(routes.map((route) => route.path))])(
    'answers 404 to methods that %s does not have',
    async (path) => {
      const had: string[] = routes.filter((route) => route.path === path).map((route) => route.method)
      const { liveKey } = await createOrganization()
      for (const method of METHODS.filter((method) => !had.includes(method))) {
        const answer = await call(method, path.replace(/:\w+/g, crypto.randomUUID()), { key: liveKey })
        expect([method, answer.status, answer.body.error.code]).toEqual([method, 404, 'not_found'])
        expect(answer.headers.get('X-Request-Id')).toMatch(UUID)
      }
    },
  )
})

type Operation = {
  readonly operationId: string
  readonly security: readonly Record<string, unknown>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>>
}
type Document = {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** Every schema in `value`, the ones inside others too, with where it is. */
function* schemasIn(value: unknown, path = ''): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return
  const isSchema = 'type' in value || '$ref' in value || 'oneOf' in value || 'anyOf' in value
  if (isSchema) yield [path, value as Json]
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* schemasIn(inner, `${path}/${key}`)
  }
}

describe('the OpenAPI document', () => {
  let document: Document

  beforeAll(async () => {
    document = (await call<Document>('GET', '/v1/openapi.json')).body
  })

  function operationOf(route: Route): Operation {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`${route.operationId} is not documented`)
    const parameters = (operation.parameters ?? []).map(resolved)
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      resolved(response),
    ])
    return { ...operation, parameters, responses: Object.fromEntries(responses) }
  }

  function resolved<T>(value: T): T {
    const [, , kind, name] = (value as { $ref?: string }).$ref?.split('/') ?? []
    return kind ? (document.components[kind]![name!] as T) : value
  }

  it('is OpenAPI 3.1 of version 1.0.0 and lists the routes, the pages of consent and nothing else', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info.version).toBe('1.0.0')
    const listed = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(listed.map((operation) => operation.operationId).sort()).toEqual(
      [...routes, ...documented.pages].map(({ operationId }) => operationId).sort(),
    )
  })

  it('names every operation differently', () => {
    const ids = [...routes, ...documented.pages].map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('points to nothing that is missing', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
    expect(references.length).toBeGreaterThan(routes.length)
    expect(references.filter((ref) => resolved({ $ref: ref }) === undefined)).toEqual([])
  })

  it('is the one that the build checks and makes types from', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(documented, env.PUBLIC_URL))))
  })

  it('has nothing in it that generated clients trip over', () => {
    const schemas = [...schemasIn(document)]
    expect(schemas.length).toBeGreaterThan(500)
    // A default makes a field required in some clients' types; a closed answer breaks on the first new field.
    expect(schemas.filter(([, schema]) => 'default' in schema).map(([path]) => path)).toEqual([])
    const closed = schemas.filter(([, schema]) => schema.additionalProperties === false)
    expect(closed.map(([path]) => path)).toEqual([])
    // A variant without a name gets one from its place, and two of them may get the same.
    const nameless = schemas.filter(([, { oneOf, anyOf }]) =>
      ([oneOf, anyOf].flat() as (Json | undefined)[]).some((variant) => variant?.properties),
    )
    expect(nameless.map(([path]) => path)).toEqual([])
    expect(schemas.filter(([, schema]) => 'title' in schema).map(([path]) => path)).toEqual([])
  })

  it.each(named)('tells parameters, body and security of %s', (_, route) => {
    const operation = operationOf(route)
    const parameters = operation.parameters ?? []
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => `:${name}`)).toEqual(route.path.match(/:\w+/g) ?? [])
    expect(inPath.every(({ required }) => required)).toBe(true)
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const taken = Object.keys(route.request.query?.shape ?? {})
    expect(inQuery).toEqual(route.hasDryRun ? [...taken, 'dry_run'] : taken)
    expect(inQuery.includes('token')).toBe(route.auth === 'key-or-token')
    expect(parameters.find(({ name }) => name === 'token')?.required ?? false).toBe(false)
    expect(operation.requestBody !== undefined).toBe(
      route.request.body !== undefined || route.request.stream !== undefined,
    )
    const schemes = operation.security.flatMap((scheme) => Object.keys(scheme))
    expect(schemes.includes('apiKey')).toBe(takesApiKeys(route))
    expect(schemes.includes('serviceKey')).toBe(route.auth !== 'none')
    expect(schemes.includes('cancelToken')).toBe(route.auth === 'key-or-token')
    expect(operation.responses).toHaveProperty(String(route.response.status))
    const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    expect(headers.includes('Idempotency-Key')).toBe(route.method === 'POST')
    expect(headers.includes('X-Org-Id')).toBe(needsOrganization(route))
    expect(new Set(headers).size).toBe(headers.length)
    const askedHeaders = shapeOf(route.request.headers).map(([name]) => name)
    expect(headers.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(askedHeaders))
  })

  it.each(named)('says in words what stands for each field of %s that is left out', (_, route) => {
    const { body, query } = route.request
    const parameters = new Map((operationOf(route).parameters ?? []).map((one) => [one.name, one as Json]))
    const schema = (body && document.components.schemas![body.meta()!.id!]) ?? {}
    const properties = new Map(Object.entries((schema.properties ?? {}) as Record<string, Json>))
    for (const [fields, described] of [
      [query, parameters],
      [body, properties],
    ] as const) {
      for (const [name, field] of shapeOf(fields)) {
        if (field.safeParse(undefined).data === undefined) continue
        expect([name, described.get(name)?.description]).toEqual([
          name,
          expect.stringMatching(/Default: .+\.$/),
        ])
      }
    }
  })

  it('tells every page of consent with its redirect, its refusals and what its form sends', () => {
    const at = (path: string) => document.paths[path] as any
    for (const path of ['calendars/calendar_a', 'calendars/calendar_b', 'conferencing/video_a']) {
      const { get, post } = at(`/v1/${path}/callback`)
      const asked = get.parameters.map(resolved).map(({ name }: { name: string }) => name)
      expect(asked).toEqual(['state', 'code', 'error', 'error_description', 'admin_consent'])
      for (const { responses } of [get, post]) {
        expect(Object.keys(responses[303].headers)).toContain('Location')
        expect(Object.keys(responses[200].content)).toEqual(['text/html'])
        expect(Object.keys(responses[400].content)).toEqual(['text/html'])
      }
      expect(Object.keys(post.requestBody.content)).toEqual(['application/x-www-form-urlencoded'])
      expect(post.responses).toHaveProperty('403')
    }
  })

  it.each(named)('shows an example of %s that its own schema takes', (_, route) => {
    const { body: input } = route.request
    if (input) {
      const { id, example } = input.meta() ?? {}
      expect(example).toBeDefined()
      expect(input.safeParse(example).error).toBeUndefined()
      expect(document.components.schemas![id!]).toHaveProperty('example', example)
    }
    const { body: output } = route.response
    if (output) {
      const { id, example } = output.meta() ?? {}
      expect(example).toBeDefined()
      expect(output.parse(example)).toEqual(example)
      expect(document.components.schemas![id!]).toHaveProperty('example', example)
    }
  })

  it('shows examples that are real beyond their own schema: one can be sent as it is', async () => {
    const { liveKey } = await createOrganization()
    const route = routes.find((each) => each.operationId === 'createEventType')!
    const { status } = await call('POST', '/v1/event-types', {
      key: liveKey,
      body: route.request.body!.meta()!.example,
    })
    expect(status).toBe(201)
  })

  it.each(named)('tells every refusal that %s has given here', (_, route) => {
    const { responses } = operationOf(route)
    const untold = [...(seen.get(route.operationId) ?? [])].filter((code) => {
      const { status } = ERRORS[code as ErrorCode]
      return !responses[String(status)]?.description.includes(`\`${code}\``)
    })
    expect(untold).toEqual([])
  })

  it.each(named)('tells the brake and the fault of %s', (_, route) => {
    const { responses } = operationOf(route)
    expect(responses).toHaveProperty('500')
    expect('429' in responses).toBe(
      route.auth !== 'none' || route.limit === 'counted' || route.isProvedByContent === true,
    )
  })
})
