import { isLimited } from '../money/plan-limits/refusals.ts'
import { guardCalendars } from '../money/plan-limits/statements.ts'
import { recordActivity } from '../outbox/activity/statements.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { openDb } from '../platform/db/client.ts'
import { guardMember } from '../platform/db/guard-member.ts'
import { newId } from '../platform/db/ids.ts'
import { fenceOf } from '../platform/db/refusals.ts'
import { type Context, originOf } from '../platform/http/context.ts'
import { notFound, refuse } from '../platform/http/errors.ts'
import { commit } from '../platform/http/idempotency.ts'
import { nowAsSeen, realNow } from '../platform/limits/clock.ts'
import { openAccount } from './accounts/open-account.ts'
import { type AccountRow, guardAccount, keepCalendars, selectAccountInTenant } from './accounts/queries.ts'
import { announceConnection } from './announce-connection.ts'
import { refusalOf } from './calendar-failure.ts'
import { blankConnection, knownCalendar } from './connection-row.ts'
import { refusalOfCommit } from './find-calendar-ref.ts'
import { assertMayChange } from './own-member.ts'
import { presentConnection } from './present.ts'
import { findConnectable, insertConnection } from './queries.ts'
import { lookThrough } from './read-whole-calendar.ts'
import { bringUpcoming } from './receiving/statements.ts'
import { wakeWrites } from './receiving/wake-writes.ts'
import type { AddCalendarInput, CalendarConnection } from './schema.ts'
import { receiveBookings } from './statements.ts'
import { keepChanges } from './sync/keep-changes.ts'
import { afterSync } from './sync/sync-outcome.ts'
import { windowAt } from './sync/sync-window.ts'
import { waitForProvider } from './wait-for-provider.ts'

/** Connects another calendar of an account, with everything that is in it. */
export async function addCalendar(
  ctx: Context<TenantCaller>,
  input: AddCalendarInput,
): Promise<CalendarConnection> {
  const { env, caller } = ctx
  const db = openDb(env, 'decide')
  const [account] = await selectAccountInTenant(db, caller, input.account_id)
  if (!account) throw notFound('calendar account')
  await assertMayChange(db, caller, account.memberId)
  const place = await findConnectable(db, caller, account.memberId, account.accountKey)
  const { member } = place
  if (!member) throw notFound('member')
  const [sibling] = place.connections
  if (!sibling) throw notFound('calendar account')
  if (place.connections.some(({ connection }) => connection.calendarId === input.external_id)) {
    throw refuse('calendar_connected')
  }
  const { client, calendar, calendars } = await findCalendar(ctx, account, input.external_id)
  const receivesBookings = input.receives_bookings ?? false
  if (receivesBookings && !calendar.canWrite) throw refuse('calendar_read_only')

  const now = realNow()
  const { reads: _, owner: __, ...metadataOfAccount } = sibling.connection.providerMetadata
  const { reads, owner } = calendar
  const metadata = {
    ...metadataOfAccount,
    calendar_url: calendarUrlOf(account, calendar.externalId),
    ...(reads && { reads }),
    ...(owner && { owner }),
  }
  const timezone = calendar.timezone ?? place.timezone
  const blank = blankConnection(account, { ...calendar, timezone }, metadata, now, {
    id: newId(caller.organizationId),
    checksBusy: input.checks_busy ?? true,
    receivesBookings,
  })
  const window = windowAt(nowAsSeen(caller.isTest, place.organization.sandboxNow, now))
  const changes = await lookThrough(
    ctx.env,
    client.openCalendar({
      calendarId: blank.calendarId,
      timezone,
      ...(reads && { reads }),
      ...(owner && { owner }),
    }),
    window,
  ).catch((error) => {
    throw refusalOf(error)
  })
  const row = changes ? { ...blank, ...afterSync(changes, now, window.end) } : blank
  const connection = presentConnection({
    connection: row,
    memberName: member.userEmail || member.userId,
    upcomingBookings: 0,
  })
  const statements = [
    guardMember(db, member.id),
    guardAccount(db, account.id),
    ...(isLimited(caller) ? [guardCalendars(db, caller, member.id)] : []),
    insertConnection(db, { ...row, receivesBookings: false }),
    ...(receivesBookings ? [...receiveBookings(db, row.id), ...bringUpcoming(db, row.id, now)] : []),
    // Its account's object opens it by how it is shared.
    ...(reads ? keepCalendars(db, account.id, calendars.map(knownCalendar)) : []),
    ...(changes ? await keepChanges(db, row, changes) : []),
    recordActivity(db, caller, originOf(ctx), {
      action: 'calendar.connected',
      resourceType: 'calendar_connection',
      resourceId: row.id,
      changes: { provider: row.provider, account_email: row.accountEmail, member_id: member.id },
    }),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: connection })
  } catch (error) {
    throw fenceOf(error) === 'CALENDAR_TAKEN' ? refuse('calendar_connected') : refusalOfCommit(error)
  }
  await announceConnection(env, [row])
  if (receivesBookings) await wakeWrites(env, db, caller.organizationId)
  return connection
}

async function findCalendar({ env }: Context, account: AccountRow, externalId: string) {
  try {
    const client = await openAccount(env, account)
    const calendars = await waitForProvider(env, () => client.listCalendars())
    const calendar = calendars.find((each) => each.externalId === externalId)
    if (calendar) return { client, calendar, calendars }
  } catch (error) {
    throw refusalOf(error)
  }
  throw notFound('calendar')
}

/** For people: the address of a collection, or where the API has the calendar. */
export function calendarUrlOf(
  { provider, serverUrl }: Pick<AccountRow, 'provider' | 'serverUrl'>,
  externalId: string,
): string {
  return provider === 'caldav' ? externalId : `${serverUrl}/calendars/${encodeURIComponent(externalId)}`
}
