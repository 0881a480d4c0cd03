import type { Interval } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { guardSchedule, selectFreed } from '../../engine/schedule/statements.ts'
import type {
  CapacityChange,
  PromotionPreview,
  Promotions,
  ReleasedTime,
  WaitlistDemand,
} from '../../engine/turn/promotions.ts'
import { PROMOTIONS_LATER } from '../../engine/turn/promotions.ts'
import type { Waitlist } from '../../engine/turn/workplace.ts'
import type { Db } from '../../platform/db/client.ts'
import { looseId } from '../../platform/db/ids.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { choosePromotions } from './choose-promotions.ts'
import { mayAgain, withoutOneOf } from './invitee-room.ts'
import { loadWaiting, type Waiting } from './load-waiting.ts'
import { preparePromotions } from './prepare-promotion.ts'
import { freedBy, promoteWaiting, TOGETHER } from './promote-waiting.ts'
import { selectSharing, selectWaitingCount } from './queries.ts'
import { searchedOf } from './search-ranges.ts'
import { deleteFreedBy, guardWaitlist, insertFreedWhole } from './statements.ts'

/** The waitlist, as turns use it. */
export const waitlist: Waitlist = {
  selectDemand: (db, eventTypeId, released) => [
    selectWaitingCount(db, eventTypeId),
    selectSharing(db, eventTypeId, released),
    selectFreed(db, eventTypeId),
  ],
  guardNobody: (db, eventTypeId, released) => [
    guardWaitlist(db, eventTypeId, []),
    selectSharing(db, eventTypeId, released),
  ],
  planPromotions,
  preview,
  prepareChange,
  promote: promoteWaiting,
}

async function planPromotions(
  db: Db,
  { waiting, freed: released }: WaitlistDemand,
  { booking: given, hold, endsFor, givesUp, after }: ReleasedTime,
  now: AskedMs,
): Promise<Promotions> {
  const nobody: Promotions = { statements: [], eventIds: [], isWhole: true }
  if (waiting === (givesUp?.entryIds.size ?? 0)) return nobody
  if (released.length > 0) return PROMOTIONS_LATER
  const all = await loadWaiting(db, given.eventTypeId, hold, now)
  if (!all) return nobody
  const known = all.waiting.filter(({ id }) => !givesUp?.entryIds.has(id))
  const found = { ...all, waiting: known }
  const { schedule } = found
  const ending = endsFor !== null && given.startTime > found.now ? [endsFor].flat() : []
  const invitees = ending.reduce((left, email) => withoutOneOf(email, left), found)
  const freed = {
    holds: [{ ...hold, givenUp: givesUp ? given.startTime : null }],
    before: schedule,
    start: givesUp ? null : given.startTime,
    mayAgain: mayAgain(found, invitees, schedule, schedule),
  }
  const { promotions, isPaused } = choosePromotions(after(schedule), invitees, freed, found.now)
  const prepared = await preparePromotions(db, promotions.slice(0, TOGETHER), found.now)
  const isWhole = promotions.length <= TOGETHER && !isPaused
  return {
    statements: [
      guardSchedule(db, schedule),
      guardWaitlist(db, given.eventTypeId, known),
      ...prepared.flatMap(({ statements }) => statements),
      ...(isWhole ? [deleteFreedBy(db, given.eventTypeId, givesUp?.sources ?? sourcesOf(given))] : []),
    ],
    eventIds: prepared.flatMap(({ eventIds }) => eventIds),
    isWhole,
  }
}

async function preview(db: Db, eventTypeId: string, now: AskedMs): Promise<PromotionPreview> {
  let found = await loadWaiting(db, eventTypeId, null, now)
  // Expired time is recorded as released only when its holds are removed.
  if (found?.schedule.hasExpired) found = await loadWaiting(db, eventTypeId, aroundFreed(found), now)
  if (!found) return { given: [], isWhole: true }
  const { promotions, isPaused } = choosePromotions(found.schedule, found, freedBy(found.schedule), found.now)
  return { given: promotions, isWhole: !isPaused }
}

function aroundFreed({ schedule: { freed }, now }: Waiting): Interval {
  const ends = freed.filter(({ endsAt }) => endsAt < LAST_INSTANT)
  const searched = ends.map(({ startsAt, endsAt }) => searchedOf({ start: startsAt, end: endsAt }, now).end)
  return { start: now, end: Math.max(now, ...searched) }
}

/** A change of what is offered. The turn commits the mark with it, so that the next turn continues if this one dies. */
async function prepareChange(db: Db, eventTypeId: string, now: AskedMs): Promise<CapacityChange> {
  const before = await loadWaiting(db, eventTypeId, null, now)
  const source = looseId()
  return { source, before: before?.schedule ?? null, mark: insertFreedWhole(db, eventTypeId, source) }
}

/** The sources of released time: the booking, its session, and one more booking allowed for its host or invitee. */
function sourcesOf({ id, sessionId }: ReleasedTime['booking']): string[] {
  const holder = sessionId ?? id
  return [...new Set([id, holder, `limit/${holder}`])]
}
