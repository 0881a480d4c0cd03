import { env } from 'cloudflare:workers'
import { feedKeyOf } from '../../src/calendars/connect-ics.ts'
import { EVENTS } from '../../src/delivery/webhooks/feed/schema.ts'
import { looseId, newIdIn } from '../../src/platform/db/ids.ts'
import type { Route } from '../../src/platform/http/route.ts'
import type { ErrorCode } from '../../src/platform/reasons/error-codes.ts'
import { call, callAsService, type Json } from './app.ts'
import { customerOf, putOnSale, subscribe } from './billing.ts'
import { googleHeaders, graphNotification, insertChannel } from './channels.ts'
import { insertAccount, insertConnection } from './connections.ts'
import {
  book,
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from './factories.ts'
import { insertImportJob, secretOf } from './foreign.ts'
import { addHosts } from './hosts.ts'
import { insertSchedule, insertTimeOff } from './hours.ts'
import { IMAGE_AS_TEXT } from './images.ts'
import { memberWithRole } from './members.ts'
import { textOf } from './moves.ts'
import { connectAccount, pay } from './payments.ts'
import { providerEvent, zoomNotification } from './provider-events.ts'
import { createRoom } from './rooms.ts'
import { twilioSignature } from './text-messages.ts'
import { openWorld } from './world.ts'

export type Mode = 'live' | 'test'
export const MODES = ['live', 'test'] as const
export type HeaderMap = Readonly<Record<string, string>>
export type Prepared = { readonly path: string; readonly body?: Json; readonly headers?: HeaderMap }

type Make = (organization: Organization, mode: Mode) => Promise<Prepared>
type Recipe = {
  /** A request that succeeds on something that the organization has in that mode. */
  readonly make: Make
  /** The one mode in which it succeeds; in the other it is forbidden. */
  readonly onlyIn?: Mode
  /** What everybody who is let in is answered where the good answer cannot be reached. */
  readonly insteadOfGood?: ErrorCode
  /** Whether its success changes what later requests of the same organization are answered. */
  readonly changesOrganization?: boolean
  /** Whether it succeeds about what others have, or nobody, too: it changes nothing of theirs then. */
  readonly isOfAnybody?: true
}

/** A body of JSON is a form with one field, which has its text as its name. */
async function signedForm(path: string): Promise<Prepared> {
  return { path, body: {}, headers: { 'X-Twilio-Signature': await twilioSignature(path, '%7B%7D=') } }
}

const HOUR_MS = 3_600_000

/** Whether its path names a thing. A kind of emails is the same for everybody. */
export function namesThing({ path }: Pick<Route, 'path'>): boolean {
  return path.replace('/:kind', '').includes(':')
}

export function keyOf(organization: Organization, mode: Mode): string {
  return mode === 'live' ? organization.liveKey : organization.testKey
}

export function bearer(key: string): HeaderMap {
  return { Authorization: `Bearer ${key}` }
}

export function asService(organization: Organization, headers: HeaderMap = {}): HeaderMap {
  return { ...bearer(env.SERVICE_KEY), 'X-Org-Id': organization.id, ...headers }
}

async function eventTypePath(organization: Organization, mode: Mode, rest = ''): Promise<string> {
  const { id } = await createEventType(keyOf(organization, mode))
  return `/v1/event-types/${id}${rest}`
}

async function bookingPath(
  organization: Organization,
  mode: Mode,
  rest = '',
  input: Json = {},
): Promise<string> {
  const { id } = await createEventType(keyOf(organization, mode))
  const { body } = await book(id, dayFromNow(2) + 9 * HOUR_MS, input)
  return `/v1/bookings/${body.id}${rest}`
}

async function sessionPath(organization: Organization, mode: Mode, rest: string): Promise<string> {
  const { id } = await createEventType(keyOf(organization, mode), { max_attendees: 3 })
  const { body } = await book(id, dayFromNow(2) + 9 * HOUR_MS)
  return `/v1/sessions/${body.session_id}${rest}`
}

async function requestPath(organization: Organization, mode: Mode, rest: string): Promise<string> {
  const { id } = await createEventType(keyOf(organization, mode), { requires_approval: true })
  const { body } = await book(id, dayFromNow(2) + 9 * HOUR_MS)
  return `/v1/bookings/${body.id}${rest}`
}

/** A series of two, which is requested if it needs an approval. */
async function seriesOf(organization: Organization, mode: Mode, input: Json = {}) {
  const key = keyOf(organization, mode)
  const { id } = await createEventType(key, { series_max: 2, ...input })
  const body = { ...bookingInput(id, dayFromNow(2) + 9 * HOUR_MS), count: 2 }
  return (await call('POST', '/v1/series', { key, body })).body
}

async function holdOf(organization: Organization, mode: Mode): Promise<{ path: string; token: string }> {
  const { id } = await createEventType(keyOf(organization, mode))
  const body = { event_type_id: id, start_time: iso(dayFromNow(2) + 9 * HOUR_MS) }
  const { body: held } = await call('POST', '/v1/holds', { body })
  return { path: `/v1/holds/${held.id}`, token: held.token }
}

async function waitlistPath(organization: Organization, mode: Mode, rest = ''): Promise<string> {
  const { id } = await createEventType(keyOf(organization, mode), { waitlist_enabled: true })
  const body = bookingInput(id, dayFromNow(2) + 9 * HOUR_MS)
  const joined = await call('POST', '/v1/waitlist', { body })
  return `/v1/waitlist/${joined.body.id}${rest}`
}

async function schedulePath(organization: Organization, mode: Mode): Promise<string> {
  return `/v1/schedules/${await insertSchedule(organization, mode)}`
}

async function resourcePath(organization: Organization, mode: Mode): Promise<string> {
  return `/v1/resources/${(await createRoom(keyOf(organization, mode))).id}`
}

async function timeOffPath(organization: Organization, mode: Mode): Promise<string> {
  const [start, end] = [dayFromNow(300), dayFromNow(301)]
  return `/v1/time-off/${await insertTimeOff(organization, mode, await newMember(organization), start, end)}`
}

/** Somebody who booked. */
async function personPath(organization: Organization, mode: Mode): Promise<string> {
  const { id } = await createEventType(keyOf(organization, mode))
  const invitee_email = `${unique('person')}@example.com`
  await book(id, dayFromNow(2) + 9 * HOUR_MS, { invitee_email })
  return `/v1/people/${invitee_email}`
}

async function clientPath(organization: Organization, mode: Mode): Promise<string> {
  return (await personPath(organization, mode)).replace('/people/', '/clients/')
}

function organizationPath(organization: Organization, rest: string): string {
  return `/v1/organizations/${organization.id}/${rest}`
}

async function uploaded(key: string, path: string): Promise<string> {
  await call('PUT', path, { key, body: IMAGE_AS_TEXT })
  return path
}

async function newMember(organization: Organization): Promise<string> {
  return (await memberWithRole(organization, 'member')).id
}

/** A calendar of somebody who hosts nothing, so that it has no say in what others book. */
async function calendarPath(organization: Organization, mode: Mode, rest = ''): Promise<string> {
  const memberId = await newMember(organization)
  return `/v1/calendars/${await insertConnection(organization, mode, { memberId })}${rest}`
}

async function memberPath(organization: Organization): Promise<string> {
  return organizationPath(organization, `members/${await newMember(organization)}`)
}

async function invite(
  organization: Organization,
  mode: Mode,
): Promise<{ id: string; token: string; email: string }> {
  const { body } = await callAsService('POST', organizationPath(organization, 'invitations'), {
    headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': mode },
    body: { email: `${unique('guest')}@example.com`, role: 'member' },
  })
  return body
}

async function deletionPath(): Promise<string> {
  const path = `/v1/operator/organizations/${(await createOrganization()).id}`
  await callAsService('DELETE', path)
  return `${path}/deletion`
}

const PAGES = 'https://example.com/billing'

/** The lines of one that has nothing. */
export function newOrganization(id: string = newIdIn(0)): Json[] {
  const made = { created_at: 1, updated_at: 1 }
  return [
    { type: 'export', format: 1, organization_id: id, exported_at: iso(1), key_version: '00000000' },
    { type: 'organizations', id, name: 'Acme', slug: unique('acme'), ...made },
    { type: 'end', changed_meanwhile: false },
  ]
}

/** A paid booking of the organization in that mode, and its payment. */
async function payment(organization: Organization, mode: Mode) {
  if (mode === 'live') await connectAccount(organization)
  const { id } = await createEventType(keyOf(organization, mode), { price_amount: 5_000 })
  const { body } = await book(id, dayFromNow(2) + 9 * HOUR_MS)
  const intentId: string = body.payment.client_secret.split('_secret_')[0]
  return { bookingId: body.id as string, id: body.payment.id as string, intentId }
}

async function paymentPath(organization: Organization, mode: Mode, rest = ''): Promise<string> {
  const { id, intentId } = await payment(organization, mode)
  if (mode === 'live') await pay(intentId)
  else await call('POST', `/v1/test-data/payments/${id}/succeed`, { key: organization.testKey })
  return `/v1/payments/${id}${rest}`
}

/** Where a provider is needed that no test of every route has: its own tests do. */
function untilProvider(make: Make): Recipe {
  return { make, insteadOfGood: 'bad_request' }
}

function inLive(make: Make): Recipe {
  return { make, onlyIn: 'live' }
}

function inSandbox(make: Make): Recipe {
  return { make, onlyIn: 'test' }
}

async function payFor(organization: Organization): Promise<void> {
  await call('POST', '/v1/subscription/portal', { key: organization.liveKey, body: { return_url: PAGES } })
  await subscribe(await customerOf(organization), { tier: 'scale' })
}

const EVENT = JSON.stringify(EVENTS['booking.created'].meta()!.example)

async function endpointPath(organization: Organization, mode: Mode, rest = ''): Promise<string> {
  const { body } = await call('POST', '/v1/webhooks', {
    key: keyOf(organization, mode),
    body: { url: 'https://hooks.invalid/', events: ['booking.created'] },
  })
  return `/v1/webhooks/${body.id}${rest}`
}

/** A delivery of the endpoint, given up. */
async function failedDelivery(organization: Organization, mode: Mode): Promise<string> {
  const path = await endpointPath(organization, mode)
  const id = looseId()
  await env.DB.prepare(
    `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status,
       created_at) VALUES (?, ?, ?, ?, ?, 'booking.created', ?, 'failed', 0)`,
  )
    .bind(id, organization.id, mode === 'test' ? 1 : 0, path.split('/').at(-1), looseId(), EVENT)
    .run()
  return `${path}/deliveries/${id}/retry`
}

/** How every route succeeds. */
export const RECIPES: Readonly<Record<string, Make | Recipe>> = {
  createOrganization: async () => ({
    path: '/v1/organizations',
    body: { name: 'Acme', owner_user_id: unique('owner') },
  }),
  createConsoleLink: async (organization) => ({
    path: '/v1/console-links',
    body: { organization_id: organization.id },
  }),
  getOrganizationOfOwner: async (organization) => ({
    path: `/v1/organizations?owner_user_id=${organization.ownerUserId}`,
  }),
  updateOrganization: async (organization) => ({
    path: `/v1/organizations/${organization.id}`,
    body: { name: 'Renamed' },
  }),
  listMyOrganizations: async (organization) => ({
    path: '/v1/me/organizations',
    headers: { 'X-User-Id': organization.ownerUserId },
  }),
  getListingPage: async (organization) => ({ path: `/v1/public/booking-page/${organization.slug}` }),
  getEventPage: async (organization, mode) => {
    const { slug } = await createEventType(keyOf(organization, mode), { booking_page_enabled: true })
    return { path: `/v1/public/booking-page/${organization.slug}/${slug}` }
  },
  getPublicEventType: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    return { path: `/v1/public/event-types/${id}` }
  },
  createEventType: async () => ({
    path: '/v1/event-types',
    body: { title: 'Intro call', slug: unique('intro'), duration_minutes: 30 },
  }),
  listEventTypes: async () => ({ path: '/v1/event-types' }),
  getEventType: async (organization, mode) => ({ path: await eventTypePath(organization, mode) }),
  updateEventType: async (organization, mode) => ({
    path: await eventTypePath(organization, mode),
    body: { title: 'Renamed' },
  }),
  deleteEventType: async (organization, mode) => ({ path: await eventTypePath(organization, mode) }),
  putAvailabilityRules: async (organization, mode) => ({
    path: await eventTypePath(organization, mode, '/availability'),
    body: { rules: [{ day_of_week: 1, start_time: '09:00', end_time: '17:00' }] },
  }),
  explain: async (organization, mode) => ({
    path: await eventTypePath(organization, mode, `/explain?start_time=${iso(dayFromNow(2))}`),
  }),
  getAvailabilityRules: async (organization, mode) => ({
    path: await eventTypePath(organization, mode, '/availability'),
  }),
  listOpenSlots: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    const date = dateOf(dayFromNow(2))
    return { path: `/v1/availability?event_type_id=${id}&start=${date}&end=${date}&timezone=UTC` }
  },
  searchOpenStarts: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    const [from, to] = [dateOf(dayFromNow(2)), dateOf(dayFromNow(3))]
    return { path: `/v1/availability/search?event_type_ids=${id}&from=${from}&to=${to}&timezone=UTC` }
  },
  addHost: async (organization, mode) => ({
    path: await eventTypePath(organization, mode, '/hosts'),
    body: { member_id: await newMember(organization) },
  }),
  listHosts: async (organization, mode) => ({ path: await eventTypePath(organization, mode, '/hosts') }),
  updateHost: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    const [memberId] = await addHosts(organization, keyOf(organization, mode), id, 1)
    return { path: `/v1/event-types/${id}/hosts/${memberId}`, body: { priority: 1 } }
  },
  removeHost: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    const [memberId] = await addHosts(organization, keyOf(organization, mode), id, 1)
    return { path: `/v1/event-types/${id}/hosts/${memberId}` }
  },
  createSchedule: async () => ({ path: '/v1/schedules', body: { name: 'Mornings', rules: [] } }),
  listSchedules: async () => ({ path: '/v1/schedules' }),
  getSchedule: async (organization, mode) => ({ path: await schedulePath(organization, mode) }),
  updateSchedule: async (organization, mode) => ({
    path: await schedulePath(organization, mode),
    body: { name: 'Afternoons' },
  }),
  deleteSchedule: async (organization, mode) => ({ path: await schedulePath(organization, mode) }),
  createResource: async () => ({ path: '/v1/resources', body: { name: 'Room' } }),
  listClients: async () => ({ path: '/v1/clients' }),
  getClient: async (organization, mode) => ({ path: await clientPath(organization, mode) }),
  updateClient: async (organization, mode) => ({
    path: await clientPath(organization, mode),
    body: { notes: 'Comes by bicycle' },
  }),
  listResources: async () => ({ path: '/v1/resources' }),
  getResource: async (organization, mode) => ({ path: await resourcePath(organization, mode) }),
  updateResource: async (organization, mode) => ({
    path: await resourcePath(organization, mode),
    body: { name: 'Other room' },
  }),
  deleteResource: async (organization, mode) => ({ path: await resourcePath(organization, mode) }),
  getAgenda: async () => ({ path: '/v1/agenda?from=2026-03-09&to=2026-03-15' }),
  createTimeOff: async (organization) => ({
    path: '/v1/time-off',
    body: { member_ids: [await newMember(organization)], start: '2030-12-24', end: '2030-12-26' },
  }),
  listTimeOff: async () => ({ path: '/v1/time-off' }),
  updateTimeOff: async (organization, mode) => ({
    path: await timeOffPath(organization, mode),
    body: { reason: 'Holidays' },
  }),
  deleteTimeOff: async (organization, mode) => ({ path: await timeOffPath(organization, mode) }),
  createBooking: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    return { path: '/v1/bookings', body: bookingInput(id, dayFromNow(2) + 9 * HOUR_MS) }
  },
  listBookings: async () => ({ path: '/v1/bookings' }),
  getBooking: async (organization, mode) => ({ path: await bookingPath(organization, mode) }),
  cancelBooking: async (organization, mode) => ({
    path: await bookingPath(organization, mode, '/cancel'),
    body: { reason: 'I am ill.' },
  }),
  getManageLink: async (organization, mode) => ({
    path: await bookingPath(organization, mode, '/manage-link'),
  }),
  resendEmails: async (organization, mode) => ({
    // The address of other recipes may have had its emails of the day.
    path: await bookingPath(organization, mode, '/resend', {
      invitee_email: `${unique('resent')}@example.com`,
    }),
    body: { to: 'everybody' },
  }),
  updateBooking: async (organization, mode) => ({
    path: await bookingPath(organization, mode),
    body: { notes: 'Ring twice.' },
  }),
  rescheduleBooking: async (organization, mode) => ({
    path: await bookingPath(organization, mode, '/reschedule'),
    body: { new_start_time: iso(dayFromNow(3) + 9 * HOUR_MS) },
  }),
  reassignBooking: async (organization, mode) => {
    const key = keyOf(organization, mode)
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHosts(organization, key, id, 2)
    const { body } = await book(id, dayFromNow(2) + 9 * HOUR_MS)
    return { path: `/v1/bookings/${body.id}/reassign`, body: { reason: 'I am ill.' } }
  },
  listSessions: async (organization, mode) => ({
    path: await eventTypePath(organization, mode, '/sessions'),
  }),
  rescheduleSession: async (organization, mode) => ({
    path: await sessionPath(organization, mode, '/reschedule'),
    body: { new_start_time: iso(dayFromNow(3) + 9 * HOUR_MS) },
  }),
  cancelSession: async (organization, mode) => ({
    path: await sessionPath(organization, mode, '/cancel'),
    body: { reason: 'The teacher is ill.' },
  }),
  createSeries: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode), { series_max: 2 })
    return { path: '/v1/series', body: { ...bookingInput(id, dayFromNow(2) + 9 * HOUR_MS), count: 2 } }
  },
  getSeries: async (organization, mode) => ({
    path: `/v1/series/${(await seriesOf(organization, mode)).id}`,
  }),
  cancelSeries: async (organization, mode) => ({
    path: `/v1/series/${(await seriesOf(organization, mode)).id}/cancel`,
    body: { reason: 'I have moved away.' },
  }),
  approveSeries: async (organization, mode) => ({
    path: `/v1/series/${(await seriesOf(organization, mode, { requires_approval: true })).id}/approve`,
  }),
  declineSeries: async (organization, mode) => ({
    path: `/v1/series/${(await seriesOf(organization, mode, { requires_approval: true })).id}/decline`,
    body: { reason: 'I am away that month.' },
  }),
  recordAttendance: async (organization, mode) => {
    const path = await bookingPath(organization, mode)
    const [, , , id] = path.split('/')
    await env.DB.prepare('UPDATE bookings SET start_time = 0, end_time = 1800000 WHERE id = ?').bind(id).run()
    return { path: `${path}/attendance`, body: { no_shows: [], host_absent: true } }
  },
  requestEmailVerification: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode), { verify_email: true })
    const email = `${unique('ada')}@example.com`
    return { path: '/v1/email-verifications', body: { event_type_id: id, email } }
  },
  approveBooking: async (organization, mode) => ({
    path: await requestPath(organization, mode, '/approve'),
  }),
  declineBooking: async (organization, mode) => ({
    path: await requestPath(organization, mode, '/decline'),
    body: { reason: 'I am away that week.' },
  }),
  createHold: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode))
    return { path: '/v1/holds', body: { event_type_id: id, start_time: iso(dayFromNow(2) + 9 * HOUR_MS) } }
  },
  getHold: async (organization, mode) => ({ path: (await holdOf(organization, mode)).path }),
  releaseHold: async (organization, mode) => {
    const { path } = await holdOf(organization, mode)
    return { path: `${path}/release` }
  },
  confirmHold: async (organization, mode) => {
    const { path, token } = await holdOf(organization, mode)
    const body = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }
    return { path: `${path}/confirm?token=${token}`, body }
  },
  joinWaitlist: async (organization, mode) => {
    const { id } = await createEventType(keyOf(organization, mode), { waitlist_enabled: true })
    return { path: '/v1/waitlist', body: bookingInput(id, dayFromNow(2) + 9 * HOUR_MS) }
  },
  listWaitlist: async () => ({ path: '/v1/waitlist' }),
  getWaitlistEntry: async (organization, mode) => ({ path: await waitlistPath(organization, mode) }),
  leaveWaitlist: async (organization, mode) => ({ path: await waitlistPath(organization, mode, '/cancel') }),
  listMembers: async (organization) => ({ path: organizationPath(organization, 'members') }),
  getMember: async (organization) => ({ path: await memberPath(organization) }),
  listBookingsOfMember: async (organization) => ({ path: `${await memberPath(organization)}/bookings` }),
  updateMember: async (organization) => ({
    path: await memberPath(organization),
    body: { role: 'viewer' },
  }),
  putAvatar: async (organization) => ({
    path: `${await memberPath(organization)}/avatar`,
    body: IMAGE_AS_TEXT,
  }),
  deleteAvatar: async (organization) => ({
    path: await uploaded(organization.liveKey, `${await memberPath(organization)}/avatar`),
  }),
  removeMember: async (organization) => ({ path: `${await memberPath(organization)}?bookings=reassign` }),
  transferOwnership: {
    make: async (organization) => ({
      path: organizationPath(organization, 'transfer-ownership'),
      body: { member_id: await newMember(organization) },
    }),
    changesOrganization: true,
  },
  createInvitation: async (organization) => ({
    path: organizationPath(organization, 'invitations'),
    body: { email: `${unique('guest')}@example.com`, role: 'member' },
  }),
  listInvitations: async (organization) => ({ path: organizationPath(organization, 'invitations') }),
  revokeInvitation: async (organization, mode) => ({
    path: organizationPath(organization, `invitations/${(await invite(organization, mode)).id}`),
  }),
  acceptInvitation: async (organization, mode) => {
    const { token, email } = await invite(organization, mode)
    return {
      path: '/v1/invitations/accept',
      body: { token, user_id: unique('guest'), user_email: email },
    }
  },
  createApiKey: async () => ({ path: '/v1/api-keys', body: { name: 'A key' } }),
  listApiKeys: async () => ({ path: '/v1/api-keys' }),
  revokeApiKey: async (organization, mode) => {
    const { id } = await createKey(organization.id, mode)
    return { path: `/v1/api-keys/${id}` }
  },
  getUsage: async () => ({ path: '/v1/usage' }),
  getUsageReport: async () => ({ path: '/v1/usage/report?from=2026-03-01&to=2026-03-31' }),
  getUsageSummary: async () => ({ path: '/v1/usage/summary?period=7d' }),
  listActivity: async () => ({ path: '/v1/activity' }),
  getBranding: async () => ({ path: '/v1/branding' }),
  updateBranding: async () => ({ path: '/v1/branding', body: { logo_alt_text: 'Acme' } }),
  putLogo: async () => ({ path: '/v1/branding/logo', body: IMAGE_AS_TEXT }),
  deleteLogo: async ({ liveKey }) => ({ path: await uploaded(liveKey, '/v1/branding/logo') }),
  putDarkLogo: async () => ({ path: '/v1/branding/logo-dark', body: IMAGE_AS_TEXT }),
  deleteDarkLogo: async ({ liveKey }) => ({ path: await uploaded(liveKey, '/v1/branding/logo-dark') }),
  listEmailTexts: async () => ({ path: '/v1/email-texts' }),
  getEmailText: async () => ({ path: '/v1/email-texts/reminder' }),
  putEmailText: async () => ({ path: '/v1/email-texts/reminder', body: { intro: 'See you.' } }),
  deleteEmailText: async ({ liveKey: key }) => {
    const path = '/v1/email-texts/reminder'
    await call('PUT', path, { key, body: { intro: 'See you.' } })
    return { path }
  },
  previewEmailText: async () => ({ path: '/v1/email-texts/reminder/preview', body: { locale: 'en' } }),
  listPayments: async () => ({ path: '/v1/payments' }),
  getPaymentSummary: async () => ({ path: '/v1/payments/summary' }),
  getPayment: async (organization, mode) => ({ path: await paymentPath(organization, mode) }),
  syncPayment: async (organization, mode) => ({ path: await paymentPath(organization, mode, '/sync') }),
  refundPayment: async (organization, mode) => ({
    path: await paymentPath(organization, mode, '/refund'),
    body: { amount: 2_500, reason: 'We met for half an hour only.' },
  }),
  getBookingPayment: async (organization, mode) => ({
    path: `/v1/bookings/${(await payment(organization, mode)).bookingId}/payment`,
  }),
  succeedTestPayment: inSandbox(async (organization) => ({
    path: `/v1/test-data/payments/${(await payment(organization, 'test')).id}/succeed`,
  })),
  failTestPayment: inSandbox(async (organization) => ({
    path: `/v1/test-data/payments/${(await payment(organization, 'test')).id}/fail`,
  })),
  processTestPayment: inSandbox(async (organization) => ({
    path: `/v1/test-data/payments/${(await payment(organization, 'test')).id}/process`,
  })),
  disputeTestPayment: inSandbox(async (organization) => ({
    path: (await paymentPath(organization, 'test', '/dispute')).replace('/v1/', '/v1/test-data/'),
    body: { status: 'lost' },
  })),
  receiveProviderEvent: async () => {
    const { body, headers } = await providerEvent('charge.pending', { id: 'ch_1', object: 'charge' })
    return { path: '/v1/payment-provider/webhook', body: JSON.parse(body), headers }
  },
  getSubscription: async () => ({ path: '/v1/subscription' }),
  connectPaymentProvider: async () => ({ path: '/v1/payment-provider/connect?country=DE' }),
  getPaymentProviderStatus: async () => ({ path: '/v1/payment-provider/status' }),
  disconnectPaymentProvider: async () => ({ path: '/v1/payment-provider' }),
  startCheckout: inLive(async () => {
    await putOnSale('grow', 'month')
    return {
      path: '/v1/subscription/checkout',
      body: { tier: 'grow', billing_interval: 'month', success_url: `${PAGES}?done`, cancel_url: PAGES },
    }
  }),
  openBillingPortal: inLive(async () => ({
    path: '/v1/subscription/portal',
    body: { return_url: PAGES },
  })),
  cancelSubscription: inLive(async (organization) => {
    await payFor(organization)
    return { path: '/v1/subscription/cancel' }
  }),
  resumeSubscription: inLive(async (organization) => {
    await payFor(organization)
    return { path: '/v1/subscription/resume' }
  }),
  createSupportRequest: async () => ({
    path: '/v1/support',
    body: { subject: 'Slots on Sundays', message: 'Can they be open?', category: 'question' },
  }),
  listSupportRequests: async () => ({ path: '/v1/support' }),
  createTestData: inSandbox(async () => ({ path: '/v1/test-data' })),
  deleteTestData: inSandbox(async () => ({ path: '/v1/test-data' })),
  listOutbox: inSandbox(async () => ({ path: '/v1/test-data/outbox' })),
  setClock: inSandbox(async () => ({ path: '/v1/test-data/clock', body: { now: null } })),
  createCalendarFeed: async (organization) => ({
    path: '/v1/calendar-feeds',
    body: { member_id: await newMember(organization) },
  }),
  listCalendarFeeds: async () => ({ path: '/v1/calendar-feeds' }),
  revokeCalendarFeed: async ({ liveKey }) => ({
    path: `/v1/calendar-feeds/${(await call('POST', '/v1/calendar-feeds', { key: liveKey, body: {} })).body.id}`,
  }),
  listCalendars: async () => ({ path: '/v1/calendars' }),
  listCalendarAccounts: async () => ({ path: '/v1/calendars/accounts' }),
  // Its credentials cannot be opened, so no other calendar can be had.
  addCalendar: {
    make: async (organization, mode) => {
      const memberId = await newMember(organization)
      const account_id = await insertConnection(organization, mode, { memberId })
      return { path: '/v1/calendars', body: { account_id, external_id: 'work' } }
    },
    insteadOfGood: 'conflict',
  },
  updateCalendar: async (organization, mode) => ({
    path: await calendarPath(organization, mode),
    body: { checks_busy: false },
  }),
  connectCaldav: untilProvider(async () => ({
    path: '/v1/calendars/caldav/connect',
    body: { preset: 'custom', username: 'ada', password: 'secret' },
  })),
  // Other tests have a host of feeds.
  connectIcs: {
    make: async (organization, mode) => {
      const url = `https://feeds.example.com/${looseId()}.ics`
      const member_id = await newMember(organization)
      const mark = await feedKeyOf(url)
      await insertConnection(organization, mode, { mark, provider: 'ics', memberId: member_id })
      return { path: '/v1/calendars/ics/connect', body: { url, member_id } }
    },
    insteadOfGood: 'conflict',
  },
  connectGoogle: untilProvider(async () => ({ path: '/v1/calendars/calendar_a/connect' })),
  connectMicrosoft: untilProvider(async () => ({ path: '/v1/calendars/calendar_b/connect' })),
  inviteToConnect: async (organization) => ({
    path: '/v1/calendars/invitations',
    body: { member_id: (await memberWithRole(organization, 'member')).id },
  }),
  askMicrosoftAdministrator: untilProvider(async () => ({
    path: '/v1/calendars/calendar_b/admin-consent',
  })),
  disconnectCalendar: async (organization, mode) => ({
    path: await calendarPath(organization, mode),
  }),
  syncCalendar: async (organization, mode) => ({
    path: await calendarPath(organization, mode, '/sync'),
  }),
  receiveGoogleNotification: async (organization, mode) => {
    const { id, secret } = await insertChannel(await insertConnection(organization, mode), 'calendar_a')
    return { path: '/v1/calendars/calendar_a/notifications', headers: googleHeaders(id, secret) }
  },
  receiveMicrosoftNotifications: async (organization, mode) => {
    const { id, secret } = await insertChannel(await insertConnection(organization, mode), 'calendar_b')
    return { path: '/v1/calendars/calendar_b/notifications', body: graphNotification(id, secret) }
  },
  listConferencing: async () => ({ path: '/v1/conferencing' }),
  connectZoom: untilProvider(async () => ({ path: '/v1/conferencing/video_a/connect' })),
  connectGoogleMeet: untilProvider(async () => ({ path: '/v1/conferencing/calendar_a_meet/connect' })),
  connectMicrosoftTeams: untilProvider(async () => ({ path: '/v1/conferencing/calendar_b_meet/connect' })),
  disconnectConferencing: async (organization, mode) => {
    await insertAccount(organization, mode)
    const { id } = await memberWithRole(organization, 'owner')
    return { path: `/v1/conferencing/video_a?member_id=${id}` }
  },
  receiveTestWebhook: async () => ({ path: '/v1/test-data/webhook', body: { id: 'an-id' } }),
  receiveTextStatus: async () => signedForm('/v1/sms/twilio/status?id=none'),
  receiveTextMessage: async () => signedForm('/v1/sms/twilio/inbound'),
  receiveZoomNotification: async () => {
    const { body, headers } = await zoomNotification('meeting.started', { account_id: 'x' })
    return { path: '/v1/conferencing/video_a/deauthorization', body: JSON.parse(body), headers }
  },
  createWebhookEndpoint: async () => ({
    path: '/v1/webhooks',
    body: { url: 'https://hooks.invalid/', events: ['booking.created'] },
  }),
  listWebhookEndpoints: async () => ({ path: '/v1/webhooks' }),
  getWebhookEndpoint: async (organization, mode) => ({ path: await endpointPath(organization, mode) }),
  updateWebhookEndpoint: async (organization, mode) => ({
    path: await endpointPath(organization, mode),
    body: { active: false },
  }),
  deleteWebhookEndpoint: async (organization, mode) => ({ path: await endpointPath(organization, mode) }),
  verifyWebhookEndpoint: async (organization, mode) => ({
    path: await endpointPath(organization, mode, '/verify'),
  }),
  testWebhookEndpoint: async (organization, mode) => {
    const path = await endpointPath(organization, mode)
    await env.DB.prepare("UPDATE webhook_endpoints SET verification_status = 'verified' WHERE id = ?")
      .bind(path.split('/').at(-1))
      .run()
    return { path: `${path}/test`, body: { event: 'booking.created' } }
  },
  rotateWebhookSecret: async (organization, mode) => ({
    path: await endpointPath(organization, mode, '/rotate-secret'),
  }),
  listWebhookDeliveries: async (organization, mode) => ({
    path: await endpointPath(organization, mode, '/deliveries'),
  }),
  retryWebhookDelivery: async (organization, mode) => ({ path: await failedDelivery(organization, mode) }),
  listEvents: async () => ({ path: '/v1/events' }),
  exportPerson: async (organization, mode) => ({ path: await personPath(organization, mode) }),
  erasePerson: {
    make: async (organization, mode) => ({ path: await personPath(organization, mode) }),
    isOfAnybody: true,
  },
  exportOrganization: { make: async () => ({ path: '/v1/export' }), onlyIn: 'live' },
  exportCalendar: { make: async () => ({ path: '/v1/export/ics' }), onlyIn: 'live' },
  importCalendly: {
    make: async () => {
      Object.assign(env, { CALENDLY_API_BASE: openWorld('calendly').base })
      return { path: '/v1/import/calendly', body: secretOf('calendly', 'sol') }
    },
    onlyIn: 'live',
    changesOrganization: true,
  },
  importCalcom: {
    make: async () => {
      Object.assign(env, { CALCOM_API_BASE: `${openWorld('calcom').base}/v2` })
      return { path: '/v1/import/calcom', body: secretOf('calcom', 'sol') }
    },
    onlyIn: 'live',
    changesOrganization: true,
  },
  getImport: {
    make: async ({ id }) => ({ path: `/v1/imports/${await insertImportJob(id)}` }),
    onlyIn: 'live',
  },
  importOrganization: async () => ({
    path: '/v1/import',
    // Lines, which calls send as they are.
    body: textOf(newOrganization()) as unknown as Json,
  }),
  beginMove: {
    make: async (organization) => ({ path: `/v1/operator/moves/${organization.id}` }),
    changesOrganization: true,
  },
  endMove: async () => {
    const other = await createOrganization()
    const path = `/v1/operator/moves/${other.id}`
    await callAsService('PUT', path)
    return { path }
  },
  deleteOrganization: {
    make: async (organization) => ({ path: `/v1/operator/organizations/${organization.id}` }),
    changesOrganization: true,
  },
  getDeletion: async () => ({ path: await deletionPath() }),
  takeBackDeletion: async () => ({ path: await deletionPath() }),
  getHealth: async () => ({ path: '/health' }),
  getOperatorHealth: async () => ({ path: '/v1/operator/health' }),
  getOpenApiDocument: async () => ({ path: '/v1/openapi.json' }),
  getRequestCollection: async () => ({ path: '/v1/postman.json' }),
}

export function recipeOf(route: Route): Recipe {
  const recipe = RECIPES[route.operationId]
  if (!recipe) throw new Error(`Tell RECIPES how ${route.operationId} succeeds.`)
  return typeof recipe === 'function' ? { make: recipe } : recipe
}

/** The mode in which a test of the route works unless it is about modes. */
export function modeOf(route: Route): Mode {
  return recipeOf(route).onlyIn ?? 'live'
}

export function prepare(route: Route, organization: Organization, mode = modeOf(route)): Promise<Prepared> {
  return recipeOf(route).make(organization, mode)
}

/** Whether the service key says by headers which organization and mode it acts for. */
export function needsOrganization({ auth }: Route): boolean {
  return auth === 'key' || auth === 'optional-key' || auth === 'key-or-token'
}

/** Whether what it is about belongs to the organization and to no mode. */
export function isOfBothModes(route: Route): boolean {
  const { path } = route
  const isUnderIt = path.startsWith('/v1/organizations/:orgId/') && !path.endsWith('/:invitationId')
  return isUnderIt || path.startsWith('/v1/calendar-feeds')
}
