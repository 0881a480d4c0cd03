import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'

const MINUTE_MS = 60_000

/**
 * One row: the event type, its open hours as pairs of minutes, and the starts that nobody can take, as pairs of minutes that
 * exclude both ends. A start is taken if it is taken for each resource.
 */
const FIND = `
WITH asked AS MATERIALIZED (
  SELECT e.id, e.organization_id, e.timezone, e.duration_minutes, e.interval_minutes, e.notice_minutes,
    make_interval(mins => e.duration_minutes) AS duration,
    $2::date::timestamp AT TIME ZONE $4 AS since, ($3::date + 1)::timestamp AT TIME ZONE $4 AS until
  FROM event_types e WHERE e.id = $1 AND e.active
), open AS (
  SELECT (day + opens) AT TIME ZONE timezone AS opens, (day + closes) AT TIME ZONE timezone AS closes
  FROM asked
  CROSS JOIN generate_series((since AT TIME ZONE timezone)::date, (until AT TIME ZONE timezone)::date, '1 day') AS day
  JOIN weekly_hours h ON h.event_type_id = asked.id AND h.day_of_week = extract(dow FROM day)
), busy AS (
  SELECT coalesce(own.starts, '{}') AS starts
  FROM asked
  JOIN event_type_resources r ON r.event_type_id = asked.id
  CROSS JOIN LATERAL (
    SELECT range_agg(tstzrange(lower(b.span) - duration, upper(b.span), '()')) AS starts
    FROM bookings b
    WHERE b.resource_id = r.resource_id AND b.status = 'confirmed'
      AND b.span && tstzrange(asked.since, asked.until + duration)
  ) AS own
), taken AS (
  SELECT unnest(range_intersect_agg(starts)) AS starts FROM busy
)
SELECT asked.organization_id, asked.duration_minutes, asked.interval_minutes, asked.notice_minutes,
  extract(epoch FROM since)::int8 / 60 AS since, extract(epoch FROM until)::int8 / 60 AS until,
  ARRAY(SELECT unnest(ARRAY[extract(epoch FROM opens), extract(epoch FROM closes)]::int8[]) / 60 FROM open ORDER BY opens) AS open,
  ARRAY(SELECT unnest(ARRAY[extract(epoch FROM lower(starts)), extract(epoch FROM upper(starts))]::int8[]) / 60
    FROM taken ORDER BY lower(starts)) AS taken
FROM asked`

type Found = {
  readonly organization_id: string
  readonly duration_minutes: number
  readonly interval_minutes: number
  readonly notice_minutes: number
  readonly since: string
  readonly until: string
  readonly open: readonly string[]
  readonly taken: readonly string[]
}

export type Query = {
  readonly event_type_id: string
  readonly start: string
  readonly end: string
  readonly timezone: string
}

/** The open starts between two dates in minutes since 1970, in order, and the event type; null if there is none. */
export async function findStarts(pool: Pool, { event_type_id, start, end, timezone }: Query) {
  const values = [event_type_id, start, end, timezone]
  const { rows } = await pool.query<Found>({ name: 'availability', text: FIND, values })
  const [found] = rows
  return found ? { eventType: found, starts: listStarts(found, Date.now()) } : null
}

function listStarts(found: Found, now: number): number[] {
  const { duration_minutes: duration, interval_minutes: interval, notice_minutes: notice } = found
  const earliest = Math.max(Number(found.since), Math.ceil(now / MINUTE_MS) + notice)
  const until = Number(found.until)
  const open = found.open.map(Number)
  const taken = found.taken.map(Number)
  const starts: number[] = []
  let at = 0
  for (let window = 0; window < open.length; window += 2) {
    const last = Math.min(open[window + 1]! - duration, until - 1)
    for (let start = open[window]!; start <= last; start += interval) {
      if (start < earliest) continue
      while (at < taken.length && taken[at + 1]! <= start) at += 2
      if (at < taken.length && taken[at]! < start) continue
      starts.push(start)
    }
  }
  return starts
}

export function formatMinute(minute: number): string {
  return new Date(minute * MINUTE_MS).toISOString()
}

const ID = { type: 'string', format: 'uuid' } as const
const TEXT = { type: 'string' } as const

export function addAvailability(app: FastifyInstance, pool: Pool): void {
  app.get<{ Querystring: Query }>(
    '/v1/availability',
    {
      schema: {
        querystring: {
          type: 'object',
          required: ['event_type_id', 'start', 'end', 'timezone'],
          properties: {
            event_type_id: ID,
            start: { type: 'string', format: 'date' },
            end: { type: 'string', format: 'date' },
            timezone: { type: 'string', maxLength: 64 },
          },
        },
        response: {
          200: {
            type: 'object',
            properties: {
              event_type_id: TEXT,
              timezone: TEXT,
              start: TEXT,
              end: TEXT,
              slots: {
                type: 'array',
                items: { type: 'object', properties: { start_time: TEXT, end_time: TEXT } },
              },
            },
          },
        },
      },
    },
    async ({ query }, reply) => {
      const found = await findStarts(pool, query)
      if (!found)
        return reply.code(404).send({ error: { code: 'not_found', message: 'No such event type.' } })
      const { duration_minutes: duration } = found.eventType
      const { event_type_id, timezone, start, end } = query
      const slots = found.starts.map((minute) => ({
        start_time: formatMinute(minute),
        end_time: formatMinute(minute + duration),
      }))
      return { event_type_id, timezone, start, end, slots }
    },
  )
}
