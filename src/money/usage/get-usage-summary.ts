import { DAY_MS } from '../../core/time-units.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { windowStart } from '../../platform/limits/window.ts'
import { countCalls } from './count-calls.ts'
import { loadUsageSummary, type Period } from './queries.ts'
import type { UsageSummary, UsageSummaryQuery } from './schema.ts'

const DAYS: Readonly<Record<UsageSummaryQuery['period'], number>> = { '7d': 7, '30d': 30 }

function daysUntil(instant: number, days: number): Period {
  return { from: windowStart(instant, DAY_MS) - (days - 1) * DAY_MS, to: instant }
}

export async function getUsageSummary(
  ctx: Context<TenantCaller>,
  { period: name }: UsageSummaryQuery,
): Promise<UsageSummary> {
  const { caller, env, now } = ctx
  // Calls are counted by UTC day, so the period is whole days and today so far.
  const period = daysUntil(now, DAYS[name])
  // The real clock alone counts them: as many days, until today.
  const called = daysUntil(Date.now(), DAYS[name])
  const { days, requests, queuedDeliveries, calendars, eventTypes, keyHashes } = await loadUsageSummary(
    openDb(env, 'decide'),
    caller,
    period,
    called.from,
  )
  const calls = await countCalls(env, keyHashes, called)

  return {
    period: name,
    period_start: formatInstant(period.from),
    period_end: formatInstant(period.to),
    api_calls: { total: calls },
    bookings: {
      total: days.bookings,
      confirmed: days.bookings - days.cancelled - days.unpaid,
      cancelled: days.cancelled,
      pending_approval: requests,
      pending_payment: days.unpaid - requests,
    },
    attendance: { no_shows: days.noShows, host_absent: days.hostAbsent },
    event_types: eventTypes,
    calendar_connections: calendars,
    webhooks: {
      total_deliveries: days.deliveries + queuedDeliveries,
      successful: days.arrived,
      failed: days.givenUp,
    },
  }
}
