import { answerOf, ask, bodyOf } from '../ask.js'

const HOLD_SECONDS = 30
const PAGE = 100

/**
 * The public API of Holdfast with an API key. With `--set service_key=…` and `--set organization=…` it makes hosts of its own:
 * members come by an invitation, whose acceptance is the operator's call.
 *
 * @type {import('../types.d.ts').Adapter}
 */
export default async function holdfast({ url, key, settings, restart }) {
  const headers = { authorization: `Bearer ${key}` }
  const call = (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {unknown} */ body,
    more = {},
  ) => ask(method, `${url}${path}`, { headers: { ...headers, ...more }, ...(body !== undefined && { body }) })
  const health = bodyOf(await ask('GET', `${url}/health`), 'health')
  const { service_key: serviceKey, organization } = settings
  const operator = { authorization: `Bearer ${serviceKey}`, 'x-org-id': organization ?? '' }
  let made = 0
  const unique = () => `race-${Date.now().toString(36)}-${++made}`

  /** @param {string} path @returns {Promise<any[]>} */
  const listAll = async (path) => {
    const all = []
    for (let after = ''; ; ) {
      const page = bodyOf(await call('GET', `${path}&limit=${PAGE}${after}`, undefined), path)
      all.push(...page.data)
      if (!page.has_more) return all
      after = `&starting_after=${page.data.at(-1).id}`
    }
  }

  return {
    name: 'Holdfast',
    version: String(health?.version ?? '1'),
    features: new Set([
      'open',
      'lengths',
      'seats',
      'caps',
      'holds',
      'approval',
      'cancel',
      'move',
      'retries',
      ...(serviceKey && organization ? /** @type {const} */ (['hosts']) : []),
      ...(restart ? /** @type {const} */ (['restart']) : []),
    ]),
    async makeHost() {
      const email = `${unique()}@example.com`
      const path = `/v1/organizations/${organization}/invitations`
      const invited = await ask('POST', `${url}${path}`, {
        headers: operator,
        body: { email, role: 'member' },
      })
      const { token } = bodyOf(invited, 'invitation')
      const body = { token, user_id: email, user_email: email }
      return bodyOf(
        await ask('POST', `${url}/v1/invitations/accept`, { headers: operator, body }),
        'acceptance',
      ).id
    },
    async makeEventType(spec) {
      const { minutes, lengths, hosts = [], seats = 1, capPerDay, approval = false } = spec
      const body = {
        title: 'Race',
        slug: unique(),
        duration_minutes: minutes,
        minimum_notice_minutes: 0,
        timezone: 'UTC',
        max_attendees: seats,
        requires_approval: approval,
        reminder_intervals: [],
        ...(lengths && { duration_options: lengths, slot_interval_minutes: Math.min(...lengths) }),
        ...(capPerDay !== undefined && { booking_cap: capPerDay, booking_cap_period: 'daily' }),
        ...(hosts.length > 0 && { assignment_strategy: 'round_robin' }),
      }
      const { id } = bodyOf(await call('POST', '/v1/event-types', body), 'event type')
      const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
        day_of_week,
        start_time: '00:00',
        end_time: '24:00',
      }))
      bodyOf(await call('PUT', `/v1/event-types/${id}/availability`, { rules }), 'hours')
      for (const member_id of hosts) {
        bodyOf(await call('POST', `/v1/event-types/${id}/hosts`, { member_id }), 'host')
      }
      return { ...spec, id }
    },
    async open({ id }, from, to) {
      const [start, end] = [from, to - 1].map((at) => new Date(at).toISOString().slice(0, 10))
      const query = `event_type_id=${id}&start=${start}&end=${end}&timezone=UTC`
      const { slots } = bodyOf(await call('GET', `/v1/availability?${query}`, undefined), 'availability')
      return slots.map((/** @type {any} */ slot) => Date.parse(slot.start_time))
    },
    async book({ id }, start, { name, email, minutes, retryKey, signal }) {
      const body = {
        event_type_id: id,
        start_time: new Date(start).toISOString(),
        ...(minutes !== undefined && { duration: minutes }),
        invitee_name: name,
        invitee_email: email,
      }
      const more = retryKey === undefined ? {} : { 'idempotency-key': retryKey }
      const answer = await ask('POST', `${url}/v1/bookings`, {
        headers: { ...headers, ...more },
        body,
        signal,
      })
      return answerOf(answer, answer.body?.id)
    },
    async hold({ id }, start) {
      const body = { event_type_id: id, start_time: new Date(start).toISOString(), ttl_seconds: HOLD_SECONDS }
      const answer = await call('POST', '/v1/holds', body)
      // The token is what confirms it, so it stands for the hold.
      const { id: hold, token, expires_at: expires } = answer.body ?? {}
      return { ...answerOf(answer, hold && `${hold} ${token}`), expiresAt: Date.parse(expires) }
    },
    async confirm(hold, { name, email }) {
      const [id, token] = hold.split(' ')
      const body = { invitee_name: name, invitee_email: email }
      const answer = await ask('POST', `${url}/v1/holds/${id}/confirm?token=${token}`, { body })
      return answerOf(answer, answer.body?.id)
    },
    approve: async (id) => answerOf(await call('POST', `/v1/bookings/${id}/approve`, {}), id),
    cancel: async (id) => answerOf(await call('POST', `/v1/bookings/${id}/cancel`, {}), id),
    async move(id, start) {
      const body = { new_start_time: new Date(start).toISOString() }
      return answerOf(await call('POST', `/v1/bookings/${id}/reschedule`, body), id)
    },
    async list({ id }) {
      const bookings = await listAll(`/v1/bookings?event_type_id=${id}`)
      return bookings.map((booking) => ({
        id: booking.id,
        email: booking.invitee_email,
        start: Date.parse(booking.start_time),
        end: Date.parse(booking.end_time),
        host: booking.assigned_host?.member_id ?? null,
        isActive: booking.status !== 'cancelled',
      }))
    },
    ...(restart && { restart }),
  }
}
