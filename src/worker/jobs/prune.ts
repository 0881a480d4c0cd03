import { pruneCodes } from '../../booking/anonymous-callers/codes/queries.ts'
import { prunePublicCounts } from '../../booking/anonymous-callers/statements.ts'
import { DELETED_A_PAGE, purgeEventTypes, selectDeletedUnused } from '../../booking/event-types/queries.ts'
import { pruneHolds } from '../../booking/holds/queries.ts'
import { pruneTexts } from '../../booking/text-messages/queries.ts'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import { pruneDeliveries } from '../../delivery/webhooks/deliveries/queries.ts'
import { FORTNIGHT_MS } from '../../engine/schedule/taken/read-times.ts'
import { prunePackedHolds } from '../../engine/schedule/taken/statements.ts'
import { type Env, retentionDays } from '../../env.ts'
import { pruneJobs } from '../../operations/imports/queries.ts'
import { pruneEmptyImports, pruneImports } from '../../operations/moves/statements.ts'
import { pruneAddresses, selectOldAddresses } from '../../outbox/activity/queries.ts'
import { pruneEvents } from '../../outbox/events/queries.ts'
import {
  pruneCounts,
  pruneEmailKeys,
  pruneFailed,
  pruneFiles,
  pruneOutbox,
} from '../../outbox/mail/queries.ts'
import { pruneRevokedKeys } from '../../people/api-keys/queries.ts'
import { pruneConsoleLinks } from '../../people/sign-in/links/queries.ts'
import { pruneChallenges } from '../../people/sign-in/passkeys/queries.ts'
import { pruneSessions, pruneSignInCodes } from '../../people/sign-in/queries.ts'
import { IDLE_MS } from '../../people/sign-in/sessions.ts'
import { pruneInvitations } from '../../people/team/invitations/queries.ts'
import type { Db } from '../../platform/db/client.ts'
import { deleteExpiredKeys } from '../../platform/http/idempotency.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { type Job, job, pruning } from './job.ts'

/** For so long a hold that ended can be read and confirmed again. */
const HOLD_DAYS = 30
/** The feed of events reaches back this far. */
const FEED_DAYS = 30

/**
 * Deletes what is not kept for ever: see docs/operating.md. Each statement is bounded and finds its rows by an index that
 * holds them alone or begins with when they end, so that one with nothing to prune reads next to nothing, however much is kept.
 */
export function prune(env: Env, db: Db, now: RealMs): readonly Job[] {
  const ago = (days: number) => now - days * DAY_MS
  const end = ago(retentionDays(env))
  const kept = [
    pruneFailed,
    pruneOutbox,
    pruneFiles,
    pruneTexts,
    pruneDeliveries,
    pruneRevokedKeys,
    pruneInvitations,
    pruneJobs,
  ]
  return [
    pruning(db, deleteExpiredKeys, now),
    pruning(db, prunePublicCounts, now),
    // A sandbox clock may let a code live for longer; nobody needs one this old.
    pruning(db, pruneCodes, ago(1)),
    // A day's codes are counted by them.
    pruning(db, pruneSignInCodes, ago(1)),
    pruning(db, pruneConsoleLinks, ago(2)),
    pruning(db, pruneSessions, now - IDLE_MS),
    pruning(db, pruneChallenges, now),
    pruning(db, pruneHolds, ago(HOLD_DAYS)),
    // Questions about today reach into the one before.
    pruning(db, prunePackedHolds, now - FORTNIGHT_MS),
    pruning(db, pruneEvents, ago(FEED_DAYS)),
    // An event that could still send its emails again is in the feed.
    pruning(db, pruneEmailKeys, ago(FEED_DAYS + 1)),
    pruning(db, pruneCounts, ago(1)),
    pruning(db, pruneImports, now - HOUR_MS),
    pruning(db, pruneEmptyImports, now - HOUR_MS),
    ...kept.map((statement) => pruning(db, statement, end)),
    // A log with more than goes at once comes again, from where it begins by then: after the last page, however short.
    job(db, selectOldAddresses, end, { size: 1, perRow: 4 }, async (rows) => {
      for (const log of rows) await pruneAddresses(db, end, log)
    }),
    job(db, selectDeletedUnused, end, { size: DELETED_A_PAGE, perRow: 1 }, (rows) =>
      purgeEventTypes(db, rows),
    ),
  ]
}
