import type { Interval } from '../../core/interval.ts'
import { startOfDate, wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import { nextAgendaAt } from '../../people/team/next-agenda.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { looseId } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { usableZone } from '../../platform/i18n/format.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { agendaEmail } from './agenda-email.ts'
import { type DueAgenda, moveAgenda, selectDay } from './queries.ts'

/** A later agenda is outdated, and the next morning has its own. */
const LATEST_MS = 12 * HOUR_MS

/** Sends each member the agenda of the day once; for an empty day, nothing. */
export async function sendAgendas(env: Env, db: Db, due: readonly DueAgenda[], now: RealMs): Promise<void> {
  const sent = await Promise.allSettled(due.map((one) => sendAgenda(env, db, one, now)))
  for (const outcome of sent) {
    // Changed by the member in between: then it is due at another time.
    if (outcome.status === 'fulfilled' || fenceOf(outcome.reason) === 'STALE') continue
    console.error(JSON.stringify({ sweep: 'agenda', cause: bareError(outcome.reason).stack }))
  }
}

async function sendAgenda(env: Env, db: Db, due: DueAgenda, now: RealMs): Promise<void> {
  const { member, isOwner, sender } = due
  const timeZone = usableZone(member.timezone ?? sender.timezone)
  const moves = moveAgenda(db, member, nextAgendaAt(timeZone, now))
  const isLate = now - member.nextAgendaAt! > LATEST_MS
  const day = dayAround(timeZone, now)
  const booked = isLate || member.userEmail === '' ? [] : await selectDay(db, due, day)
  if (booked.length === 0) return void (await commitBatch(db, moves))
  const { id, userEmail: email, name, timezone, locale, notifications } = member
  const person = { id, email, name, timezone, locale, notifications, isOwner }
  const letter = agendaEmail(env, { person, sender, timeZone, at: now, booked })
  const tenant = { organizationId: member.organizationId, isTest: false }
  const posting = await enqueueEmail(
    env,
    db,
    tenant,
    { onceKey: `${looseId()}/agenda`, until: day.end, ...letter },
    { now, isCounted: false },
  )
  await commitBatch(db, [...moves, ...posting.statements])
  await posting.announce()
}

/** The day on the wall calendar of the zone that an instant is in. */
function dayAround(timeZone: string, instant: number): Interval {
  const table = zoneTable(timeZone, instant - DAY_MS, instant + 2 * DAY_MS)
  const midnight = Math.floor(wallTimeOf(table, instant) / DAY_MS) * DAY_MS
  return { start: startOfDate(table, midnight), end: startOfDate(table, midnight + DAY_MS) }
}
