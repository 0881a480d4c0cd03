import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { type RecordedEvent, recordEvent } from '../../outbox/events/statements.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import { onceEach } from '../../outbox/mail/once-each.ts'
import { SYSTEM, type Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { isEnd } from '../../platform/icalendar/calendar-error.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { presentConnection } from '../present.ts'
import { type Affected, guardLoss, keepLoss } from './queries.ts'

/** For a batch that is refused as `STALE` where one of the calendars is not as it was read. */
export type Telling = {
  readonly statements: readonly Statement[]
  /** Call it after the commit. It never fails: the sweep finds what was not announced. */
  readonly announce: () => Promise<void>
}

export const NOTHING_TOLD: Telling = { statements: [], announce: async () => {} }

/** A calendar, and what its row becomes with its loss. */
type Loss = { readonly affected: Affected; readonly changes: Partial<ConnectionRow> }

type Named = { readonly soon: readonly Affected[]; readonly isNamed: (affected: Affected) => boolean }

/** Whether no permission is left that could be used. */
export function hasEnded({ status }: Pick<ConnectionRow, 'status'>): boolean {
  return isEnd(status)
}

/**
 * Marks calendars of one account as lost. Each newly lost one gets an event, and all together one email to their member and one
 * to the owner, which also names those lost `soon` and none that was named before.
 */
export async function loseCalendars(
  env: Env,
  db: Db,
  losses: readonly Loss[],
  now: RealMs,
  { soon, isNamed }: Named = { soon: [], isNamed: () => false },
): Promise<Telling> {
  const lost = losses.map(({ affected, changes }) => {
    const before = affected.connection
    const all = { ...changes, tellAt: null, lostAt: before.lostAt ?? now }
    return { affected, before, changes: all, after: { ...before, ...all } }
  })
  const news = lost
    .filter(({ before }) => before.lostAt === null)
    .map(({ affected, after }) => ({ ...affected, connection: after, wasNamed: isNamed(affected) }))
  const events = news.map((each) => eventOf(db, 'calendar.disconnected', each))
  const unnamed = news.filter(({ wasNamed }) => !wasNamed)
  const letters = await emailsOf(env, db, unnamed, soon, events, now)
  return {
    statements: [
      ...lost.map(({ before }) => guardLoss(db, before)),
      ...lost.map(({ before, changes }) => keepLoss(db, before.id, changes)),
      ...events.flatMap(({ statements }) => statements),
      ...lost.flatMap(({ before, after }) => activityOf(db, before, after)),
      ...letters.flatMap(({ statements }) => statements),
    ],
    announce: async () => {
      await wakeQueue(
        env,
        ...events.map(({ id }) => ({ type: 'event', eventId: id }) as const),
        ...letters.flatMap(({ messages }) => messages),
      )
    },
  }
}

export function eventOf(
  db: Db,
  kind: 'calendar.disconnected' | 'calendar.restored',
  affected: Pick<Affected, 'connection' | 'memberName' | 'upcomingBookings'>,
): RecordedEvent {
  return recordEvent(db, tenantOf(affected.connection), {
    kind,
    data: presentConnection(affected),
    revision: 1,
  })
}

export function tenantOf({ organizationId, isTest }: ConnectionRow): Tenant {
  return { organizationId, isTest }
}

async function emailsOf(
  env: Env,
  db: Db,
  news: readonly Affected[],
  soon: readonly Affected[],
  events: readonly RecordedEvent[],
  now: RealMs,
) {
  const [first, ...others] = news
  if (!first) return []
  const { lossEmail } = await import('./loss-email.ts')
  const letters = onceEach(first.people).map((person, at) => ({
    onceKey: `${events[0]!.id}/calendar-lost/${at}`,
    ...lossEmail(env, [first, ...others, ...soon], person),
  }))
  const to = { now, isCounted: false }
  return Promise.all(letters.map((each) => enqueueEmail(env, db, tenantOf(first.connection), each, to)))
}

/** That it is lost, and that its permission ended, each once. */
function activityOf(db: Db, before: ConnectionRow, after: ConnectionRow): Statement[] {
  const actions = [
    ...(before.lostAt === null ? ['calendar.lost'] : []),
    ...(hasEnded(after) && !hasEnded(before) ? ['calendar.ended'] : []),
  ]
  const { provider, accountEmail, status, syncError } = after
  return actions.map((action) =>
    recordActivity(db, tenantOf(after), SYSTEM, {
      action,
      resourceType: 'calendar_connection',
      resourceId: after.id,
      changes: { provider, account_email: accountEmail, status, sync_error: syncError },
    }),
  )
}
