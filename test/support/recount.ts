import { Temporal } from '@js-temporal/polyfill'
import { expect } from 'vitest'
import { GROUPS, type GroupBy } from '../../src/money/usage/report/schema.ts'
import { call } from './app.ts'
import { type Row, rows } from './storm/world.ts'

type Of = {
  readonly organizationId: string
  readonly key: string
  readonly from: string
  readonly to: string
}

const BOOKED = `SELECT b.*, p.currency, p.amount - p.refunded_amount - p.lost_amount AS earned FROM bookings b
  LEFT JOIN payments p ON p.booking_id = b.id
    AND p.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')
  WHERE b.organization_id = ?1 AND b.is_test = ?2`

function keyOf(booking: Row, start: Temporal.ZonedDateTime, groupBy: GroupBy): string | number | null {
  const date = start.toPlainDate()
  switch (groupBy) {
    case 'day':
      return date.toString()
    case 'week':
      return date.subtract({ days: date.dayOfWeek - 1 }).toString()
    case 'month':
      return date.toPlainYearMonth().toString()
    case 'hour_of_week':
      return (date.dayOfWeek - 1) * 24 + start.hour
    case 'event_type':
      return booking.event_type_id
    case 'member':
      return booking.assigned_host_id
    case 'status':
      return booking.status
  }
}

/** Counts the bookings themselves, with another calendar than the service. */
function recount(
  booked: readonly Row[],
  zone: string,
  { from, to }: Of,
  groupBy: GroupBy,
): Map<unknown, Row> {
  const groups = new Map<unknown, Row>()
  for (const one of booked) {
    const start = Temporal.Instant.fromEpochMilliseconds(one.start_time).toZonedDateTimeISO(zone)
    const date = start.toPlainDate().toString()
    if (date < from || date > to) continue
    const key = keyOf(one, start, groupBy)
    const group = groups.get(key) ?? { key, bookings: 0, cancelled: 0, no_shows: 0, minutes: 0, revenue: {} }
    groups.set(key, group)
    const isCancelled = one.status === 'cancelled'
    const isMeant = !isCancelled || groupBy === 'status'
    group.bookings += Number(isMeant)
    group.cancelled += Number(isCancelled)
    group.no_shows += one.no_shows
    group.minutes += isMeant ? (one.end_time - one.start_time) / 60_000 : 0
    if (one.earned) group.revenue[one.currency] = (group.revenue[one.currency] ?? 0) + one.earned
  }
  return groups
}

/** Every report of the mode of the key equals a recount of its bookings. */
export async function expectRecounted(of: Of, about = ''): Promise<void> {
  const [organization] = await rows('SELECT timezone FROM organizations WHERE id = ?', of.organizationId)
  const booked = await rows(BOOKED, of.organizationId, Number(of.key.startsWith('hf_test')))
  for (const groupBy of GROUPS) {
    const path = `/v1/usage/report?from=${of.from}&to=${of.to}&group_by=${groupBy}`
    const { status, body } = await call('GET', path, { key: of.key })
    expect([about, groupBy, status]).toEqual([about, groupBy, 200])
    const found = new Map(body.data.map(({ label: _, ...group }: Row) => [group.key, group]))
    expect([about, groupBy, found]).toEqual([
      about,
      groupBy,
      recount(booked, organization!.timezone, of, groupBy),
    ])
  }
}
