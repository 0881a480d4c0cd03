import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { findStarts, formatMinute } from './availability.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const SECRET = 'secret-of-a-service-that-lives-for-one-bench'
const ALTERNATIVES = 3
const MAX_ATTEMPTS = 20

const KEY = 'SELECT organization_id FROM api_keys WHERE hash = $1 AND revoked_at IS NULL'

/** The event type, whether it is open then, and a resource that is free. */
const PLACE = `
SELECT e.organization_id, e.duration_minutes, EXISTS (
    SELECT FROM weekly_hours h,
      LATERAL (SELECT ($2::timestamptz AT TIME ZONE e.timezone)::date AS day) AS local
    WHERE h.event_type_id = e.id AND h.day_of_week = extract(dow FROM day)
      AND (day + h.opens) AT TIME ZONE e.timezone <= $2
      AND $2 + make_interval(mins => e.duration_minutes) <= (day + h.closes) AT TIME ZONE e.timezone
      AND extract(epoch FROM $2 - (day + h.opens) AT TIME ZONE e.timezone)::int % (e.interval_minutes * 60) = 0
  ) AND $2 >= now() + make_interval(mins => e.notice_minutes) AS is_open,
  (SELECT r.resource_id FROM event_type_resources r
   WHERE r.event_type_id = e.id AND NOT EXISTS (
     SELECT FROM bookings b WHERE b.resource_id = r.resource_id AND b.status = 'confirmed'
       AND b.span && tstzrange($2, $2 + make_interval(mins => e.duration_minutes)))
   ORDER BY random() LIMIT 1) AS resource_id
FROM event_types e WHERE e.id = $1 AND e.active`

/** Callers of one start wait here for each other, and not in the constraint, which takes them for a deadlock. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'

const KEEP = `INSERT INTO idempotency_keys (scope, key, request_hash, status, body) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING`
const REPLAY = 'SELECT request_hash, status, body FROM idempotency_keys WHERE scope = $1 AND key = $2'
const INSERT = `INSERT INTO bookings (id, organization_id, event_type_id, resource_id, span, invitee_name, invitee_email,
    invitee_timezone, notes, metadata, attendees, created_at)
  VALUES ($1, $2, $3, $4, tstzrange($5, $6), $7, $8, $9, $10, $11, $12, $13)`
const ANNOUNCE = `INSERT INTO outbox (kind, booking_id) VALUES ('booking.created', $1)`

type Place = {
  readonly organization_id: string
  readonly duration_minutes: number
  readonly is_open: boolean
  readonly resource_id: string | null
}

type Body = {
  readonly event_type_id: string
  readonly start_time: string
  readonly invitee_name: string
  readonly invitee_email: string
  readonly invitee_timezone: string
  readonly notes?: string
  readonly metadata: object
  readonly attendees: readonly { readonly name: string; readonly email: string }[]
}

type Answer = { readonly status: number; readonly body: object }
type Claim = { readonly scope: string; readonly key: string; readonly hash: Buffer }
type Bearer = { readonly organizationId: string } | null

const refused = (status: number, code: string, message: string, details?: object): Answer => ({
  status,
  body: { error: { code, message, ...(details && { details }) } },
})

const NO_KEY = refused(401, 'unauthorized', 'The API key is missing or invalid.').body

async function bearerOf(pool: Pool, header: string | undefined): Promise<Bearer | 'unknown'> {
  if (header === undefined) return null
  const secret = /^Bearer (\S+)$/.exec(header)?.[1] ?? ''
  const values = [createHash('sha256').update(secret).digest()]
  const { rows } = await pool.query<{ organization_id: string }>({ name: 'key', text: KEY, values })
  return rows[0] ? { organizationId: rows[0].organization_id } : 'unknown'
}

function present(id: string, body: Body, { organization_id, duration_minutes }: Place, created: Date) {
  const start = Date.parse(body.start_time)
  const attendees = [{ name: body.invitee_name, email: body.invitee_email }, ...body.attendees]
  return {
    id,
    organization_id,
    event_type_id: body.event_type_id,
    status: 'confirmed',
    is_test: false,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + duration_minutes * MINUTE_MS).toISOString(),
    invitee_name: body.invitee_name,
    invitee_email: body.invitee_email,
    invitee_timezone: body.invitee_timezone,
    invitee_locale: null,
    notes: body.notes ?? null,
    metadata: body.metadata,
    attendee_count: attendees.length,
    attendees: attendees.map((one) => ({ id: randomUUID(), ...one, no_show: false })),
    host_absent: false,
    assigned_host: null,
    calendar_connection_id: null,
    calendar_event_id: null,
    busy_as_of: null,
    sync_error: null,
    conferencing_url: null,
    location: null,
    payment: null,
    cancelled_at: null,
    cancel_reason: null,
    rescheduled_at: null,
    previous_start_time: null,
    created_at: created.toISOString(),
    updated_at: created.toISOString(),
    cancel_token: createHmac('sha256', SECRET).update(id).digest('base64url'),
  }
}

/** What is taken is refused with the next open starts. */
async function refuseTaken(pool: Pool, { event_type_id, start_time }: Body): Promise<Answer> {
  const start = Date.parse(start_time)
  const [from, to] = [start, start + 7 * DAY_MS].map((at) => new Date(at).toISOString().slice(0, 10))
  const found = await findStarts(pool, { event_type_id, start: from!, end: to!, timezone: 'UTC' })
  const later = found?.starts.filter((minute) => minute * MINUTE_MS >= start) ?? []
  const alternatives = later.slice(0, ALTERNATIVES).map(formatMinute)
  return refused(409, 'conflict', 'This time is no longer available.', { alternatives })
}

async function commit(client: PoolClient, body: Body, place: Place, claim: Claim | null, locks: boolean) {
  const created = new Date()
  const booked = present(randomUUID(), body, place, created)
  await client.query('BEGIN')
  if (locks) {
    await client.query({ name: 'lock', text: LOCK, values: [`${place.resource_id} ${booked.start_time}`] })
  }
  if (claim) {
    const values = [claim.scope, claim.key, claim.hash, 201, JSON.stringify(booked)]
    const { rowCount } = await client.query({ name: 'keep', text: KEEP, values })
    if (rowCount === 0) return null
  }
  const values = [
    booked.id,
    booked.organization_id,
    booked.event_type_id,
    place.resource_id,
    booked.start_time,
    booked.end_time,
    booked.invitee_name,
    booked.invitee_email,
    booked.invitee_timezone,
    booked.notes,
    JSON.stringify(booked.metadata),
    JSON.stringify(booked.attendees),
    created,
  ]
  await client.query({ name: 'insert', text: INSERT, values })
  await client.query({ name: 'announce', text: ANNOUNCE, values: [booked.id] })
  await client.query('COMMIT')
  return { status: 201, body: booked }
}

async function replay(pool: Pool, { scope, key, hash }: Claim): Promise<Answer | null> {
  const { rows } = await pool.query<{ request_hash: Buffer; status: number; body: object }>({
    name: 'replay',
    text: REPLAY,
    values: [scope, key],
  })
  const [kept] = rows
  if (!kept) return null
  if (!kept.request_hash.equals(hash))
    return refused(409, 'conflict', 'The key was used for another request.')
  return kept
}

async function book(
  pool: Pool,
  body: Body,
  bearer: Bearer,
  claim: Claim | null,
  locks: boolean,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const values = [body.event_type_id, body.start_time]
    const { rows } = await pool.query<Place>({ name: 'place', text: PLACE, values })
    const [place] = rows
    if (!place || (bearer && bearer.organizationId !== place.organization_id)) {
      return refused(404, 'not_found', 'No such event type.')
    }
    const kept = claim && (!place.is_open || place.resource_id === null) ? await replay(pool, claim) : null
    if (kept) return kept
    if (!place.is_open) return refused(409, 'conflict', 'This time is not offered.')
    if (place.resource_id === null) return refuseTaken(pool, body)
    const client = await pool.connect()
    try {
      const done = await commit(client, body, place, claim, locks)
      if (done) return done
      await client.query('ROLLBACK')
      return (await replay(pool, claim!)) ?? refused(409, 'conflict', 'Still running.')
    } catch (error) {
      await client.query('ROLLBACK')
      // It overlaps, or PostgreSQL ended a deadlock of several that may.
      const isRace = ['23P01', '40P01'].includes((error as { code?: string }).code ?? '')
      if (!isRace || attempt >= MAX_ATTEMPTS) throw error
    } finally {
      client.release()
    }
  }
}

/** All of an event type, in the order of their starts. */
const LIST = `
SELECT id, event_type_id, status, lower(span) AS start_time, upper(span) AS end_time, invitee_email FROM bookings
WHERE event_type_id = $1 AND organization_id = $2 ORDER BY span`

const CANCEL = `
WITH cancelled AS (
  UPDATE bookings SET status = 'cancelled' WHERE id = $1 AND organization_id = $2 RETURNING id
), announced AS (
  INSERT INTO outbox (kind, booking_id) SELECT 'booking.cancelled', id FROM cancelled
)
SELECT id FROM cancelled`

const ID = { type: 'string', format: 'uuid' } as const
const LINE = { type: 'string', minLength: 1, maxLength: 255 } as const
const EMAIL = { type: 'string', format: 'email', maxLength: 320 } as const
const ZONE = { type: 'string', maxLength: 64 } as const
const ATTENDEE = {
  type: 'object',
  required: ['name', 'email'],
  properties: { name: LINE, email: EMAIL, timezone: ZONE },
} as const

/** What an organization does with its bookings later, with its key. */
export function addKeptBookings(app: FastifyInstance, pool: Pool): void {
  app.get<{ Querystring: { event_type_id: string } }>(
    '/v1/bookings',
    {
      schema: {
        querystring: { type: 'object', required: ['event_type_id'], properties: { event_type_id: ID } },
      },
    },
    async ({ headers, query }, reply) => {
      const bearer = await bearerOf(pool, headers.authorization)
      if (bearer === null || bearer === 'unknown') return reply.code(401).send(NO_KEY)
      const values = [query.event_type_id, bearer.organizationId]
      const { rows } = await pool.query({ name: 'list', text: LIST, values })
      return { data: rows }
    },
  )
  app.post<{ Params: { id: string } }>(
    '/v1/bookings/:id/cancel',
    { schema: { params: { type: 'object', properties: { id: ID } } } },
    async ({ headers, params }, reply) => {
      const bearer = await bearerOf(pool, headers.authorization)
      if (bearer === null || bearer === 'unknown') return reply.code(401).send(NO_KEY)
      const values = [params.id, bearer.organizationId]
      const { rowCount } = await pool.query({ name: 'cancel', text: CANCEL, values })
      if (rowCount === 0) return reply.code(404).send(refused(404, 'not_found', 'No such booking.').body)
      return { id: params.id, status: 'cancelled' }
    },
  )
}

/** `locks` makes callers of one start wait for each other before they insert. */
export function addBookings(app: FastifyInstance, pool: Pool, locks: boolean): void {
  app.post<{ Body: Body }>(
    '/v1/bookings',
    {
      schema: {
        body: {
          type: 'object',
          required: ['event_type_id', 'start_time', 'invitee_name', 'invitee_email'],
          properties: {
            event_type_id: ID,
            start_time: { type: 'string', format: 'date-time' },
            invitee_name: LINE,
            invitee_email: EMAIL,
            invitee_timezone: { ...ZONE, default: 'UTC' },
            notes: { type: 'string', maxLength: 2_000 },
            metadata: { type: 'object', maxProperties: 50, default: {} },
            attendees: { type: 'array', maxItems: 100, default: [], items: ATTENDEE },
          },
        },
      },
    },
    async (request, reply) => {
      const bearer = await bearerOf(pool, request.headers.authorization)
      if (bearer === 'unknown') {
        return reply.code(401).send(NO_KEY)
      }
      const key = request.headers['idempotency-key']
      const hash = createHash('sha256').update(JSON.stringify(request.body)).digest()
      const scope = bearer?.organizationId ?? request.body.event_type_id
      const claim = typeof key === 'string' ? { scope, key, hash } : null
      const { status, body } = await book(pool, request.body, bearer, claim, locks)
      return reply.code(status).send(body)
    },
  )
}
