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

/** How many are booked in one commit. */
export const TOGETHER = 10

/**
 * Books those who wait in the time that was written down as freed. Runs in the object, in the turn that freed it
 * or before whoever asks next, so nobody gets in between. What the event type may not book now stays written down.
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
        // Whoever joined since keeps it.
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
    // What freed the time is committed and must not fail for this; it stays written down, for the next to come.
    console.error(JSON.stringify({ waitlist: eventTypeId, cause: bareError(error).stack }))
  } finally {
    workplace.memory.forget()
  }
}

/** What there is to give away. Of a change, whatever was not open before it; of everything else, what is written down. */
export function freedBy(
  { freed }: Pick<Waiting, 'freed'>,
  { change, start }: Reason = {},
  released: Freed['mayAgain'] = new Set(),
): Freed {
  const holds = freed
    .filter(({ source }) => source !== change?.source)
    .map(({ startsAt, endsAt }) => ({ start: startsAt, end: endsAt }))
  return { holds, before: change?.before ?? null, start: start ?? null, mayAgain: released }
}

/** Once bookings are taken again nobody knows the schedule before the change, so what it opened is written down. */
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

/** Whether all were booked; no when the world turned out to be another one, and then the rest is decided again. */
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
