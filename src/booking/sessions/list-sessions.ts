import { startOfDateIn } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import type { DateOrInstant } from '../../platform/http/fields.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { findGroup, selectSessionsIn } from './queries.ts'
import type { ListedSession } from './schema.ts'
import { presentSession } from './session-state.ts'

const USUAL_DAYS = 31
const MOST_DAYS = 366

type Range = { readonly from?: DateOrInstant | undefined; readonly to?: DateOrInstant | undefined }

export async function listSessions(
  { env, caller, now: asked }: Context<TenantCaller>,
  eventTypeId: string,
  range: Range,
): Promise<{ data: ListedSession[] }> {
  const db = openDb(env, 'decide')
  const group = await findGroup(db, caller, eventTypeId)
  if (!group) throw notFound('event type')
  const now = nowAsSeen(caller.isTest, group.sandboxNow, asked)
  const from = range.from ? instantIn(group.timezone, range.from, 0) : now
  const to = range.to ? instantIn(group.timezone, range.to, DAY_MS) : from + USUAL_DAYS * DAY_MS
  if (to <= from) throw invalid({ to: problem('not_after_start') })
  if (to - from > (MOST_DAYS + 1) * DAY_MS)
    throw invalid({ to: problem('too_many_days', { most: MOST_DAYS }) })
  const rows = await selectSessionsIn(db, eventTypeId, from, to, now)
  return {
    data: rows.map(({ bookingIds, taken, waiting, ...session }) => ({
      ...presentSession(
        session,
        bookingIds.map((id) => ({ id })),
      ),
      seats: group.maxAttendees,
      taken,
      waiting,
    })),
  }
}

/** A date begins at midnight in the zone; as an end it is included. */
function instantIn(timeZone: string, value: DateOrInstant, addedMs: number): number {
  return 'instant' in value ? value.instant : startOfDateIn(timeZone, value.midnight + addedMs)
}
