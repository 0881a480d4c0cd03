import { startGivenUp } from '../../engine/schedule/given-up.ts'
import { endExpired, guardSchedule } from '../../engine/schedule/statements.ts'
import { commitTurn } from '../../engine/turn/commit.ts'
import type { Reason } from '../../engine/turn/promotions.ts'
import { attemptsFor, hostsToSkip } from '../../engine/turn/races.ts'
import type { Workplace } from '../../engine/turn/workplace.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { type Db, openDb, type Statement } from '../../platform/db/client.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { choosePromotions, type Freed, openedTime, type Promotion } from './choose-promotions.ts'
import { mayAgain } from './invitee-room.ts'
import { loadWaiting, type Waiting } from './load-waiting.ts'
import { preparePromotions } from './prepare-promotion.ts'
import { deleteFreed, deleteFreedBy, deleteFreedOf, guardWaitlist, insertFreed } from './statements.ts'

/** Limit of promotions per commit. */
export const TOGETHER = 10

/**
 * Books waiting invitees in released time. Runs in the event type's object, in the turn that released it or before the next
 * booking, so nobody gets in between. What cannot be booked now stays recorded.
 */
export async function promoteWaiting(
  workplace: Workplace,
  eventTypeId: string,
  realNow: AskedMs,
  reason: Reason = {},
): Promise<void> {
  const { change } = reason
  const db = openDb(workplace.env, 'decide')
  try {
    for (let lost = 0; ; lost++) {
      const found = await loadWaiting(db, eventTypeId, null, realNow)
      if (found?.schedule.hasExpired && lost < attemptsFor(found.schedule)) {
        await commitTurn(db, [endExpired(db, eventTypeId, found.now)])
        continue
      }
      if (!found) {
        // If somebody joined in the meantime, it stays for them.
        await commitTurn(db, [guardWaitlist(db, eventTypeId, []), deleteFreedOf(db, eventTypeId)])
        return
      }
      if (found.freed.length === 0 || lost >= attemptsFor(found.schedule)) return
      const released = mayAgain(found, found, change?.before ?? found.schedule, found.schedule)
      const { promotions, isPaused } = choosePromotions(
        found.schedule,
        found,
        freedBy(found, reason, released),
        found.now,
        hostsToSkip(lost),
      )
      const isExact = released.size === 0
      const offered = isPaused
        ? keepReserved(db, found, isExact ? change : undefined)
        : [deleteFreed(db, found.freed)]
      if (await commitAll(workplace, db, found, promotions, offered)) return
    }
  } catch (error) {
    // The time is released and committed, so an error here must not fail it; it stays recorded for the next turn.
    console.error(JSON.stringify({ waitlist: eventTypeId, cause: bareError(error).stack }))
  } finally {
    workplace.memory.forget()
  }
}

/**
 * The time to give to the waitlist: after a change, the starts that were not open before it, and all recorded time of other
 * sources.
 */
export function freedBy(
  { freed }: Pick<Waiting, 'freed'>,
  { change, start }: Reason = {},
  released: Freed['mayAgain'] = new Set(),
): Freed {
  const holds = freed
    .filter(({ source }) => source !== change?.source)
    .map(({ source, startsAt, endsAt }) => ({ start: startsAt, end: endsAt, givenUp: startGivenUp(source) }))
  return { holds, before: change?.before ?? null, start: start ?? null, mayAgain: released }
}

/** Later nobody knows the schedule before the change, so the time that it opened is recorded. */
function keepReserved(
  db: Db,
  { waiting, schedule, now }: Waiting,
  change: Reason['change'],
): readonly Statement[] {
  if (!change) return []
  const { source, before } = change
  const { id } = schedule.eventType
  return [
    deleteFreedBy(db, id, [source]),
    insertFreed(db, id, source, openedTime(before, schedule, waiting, now)),
  ]
}

/** Whether all were booked; false if the schedule turned out to be another one, and the rest is decided again. */
async function commitAll(
  { announce }: Workplace,
  db: Db,
  { schedule, waiting, now }: Waiting,
  promotions: readonly Promotion[],
  last: readonly Statement[],
): Promise<boolean> {
  for (let at = 0; at === 0 || at < promotions.length; at += TOGETHER) {
    const prepared = await preparePromotions(db, promotions.slice(at, at + TOGETHER), now)
    const isLast = at + TOGETHER >= promotions.length
    const writes = [...prepared.flatMap(({ statements }) => statements), ...(isLast ? last : [])]
    if (writes.length === 0) return true
    const guards = [guardSchedule(db, schedule), guardWaitlist(db, schedule.eventType.id, waiting)]
    if ((await commitTurn(db, [...guards, ...writes])).fence !== null) return false
    for (const { eventIds } of prepared) {
      for (const eventId of eventIds) announce({ type: 'event', eventId })
    }
  }
  return true
}
