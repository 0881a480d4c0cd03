import { waitUntil } from 'cloudflare:workers'
import { isLimited, withinPlan } from '../../money/plan-limits/refusals.ts'
import { guardEventTypes } from '../../money/plan-limits/statements.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { guardNamedSchedule, selectNamedSchedules } from '../../platform/db/named-schedule.ts'
import { type Fence, fenceOf } from '../../platform/db/refusals.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { because, missing, notFound, type Refusal, Refused } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { bookableOf } from '../bookable/judge.ts'
import { selectFactsOfNew } from '../bookable/statements.ts'
import { guardResourcesNamed, selectForeignResources } from '../resources/statements.ts'
import { assertChannels } from './assert-channels.ts'
import { assertConferencing } from './assert-conferencing.ts'
import { assertReturn } from './assert-return.ts'
import { NOTHING_TAKEN } from './count-bookings.ts'
import type { CreateEventTypeInput } from './input-schema.ts'
import { placeEventType } from './place-event-type.ts'
import { presentEventType } from './present.ts'
import { withPreviews } from './preview.ts'
import { getDefaultTimezone, insertEventType } from './queries.ts'
import type { EventType } from './schema.ts'
import { assertCoherent, toColumns, withCapPeriod } from './to-columns.ts'

const REFUSALS: Readonly<Partial<Record<Fence | '', Refusal>>> = {
  SLUG_TAKEN: because('event_type_slug_taken'),
  STALE: missing('schedule'),
}

/** `also` is what the same batch writes besides. */
export async function createEventType(
  ctx: Context<TenantCaller>,
  input: CreateEventTypeInput,
  also: (db: Db, id: string) => readonly Statement[] = () => [],
): Promise<EventType> {
  const { organizationId, isTest } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const row = withCapPeriod({
    ...toColumns(input),
    id: newId(organizationId),
    organizationId,
    isTest,
    timezone: input.timezone ?? (await getDefaultTimezone(db, organizationId)),
    bookingCapPeriod: input.booking_cap_period ?? null,
    activeBookings: 0,
    collectiveBookings: 0,
    manyHosts: false,
    defaultScheduleId: null,
    collectiveBookedAt: null,
    version: 0,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
  })
  assertCoherent(row)
  assertChannels(ctx.env, input)
  await assertConferencing(db, ctx.caller, input)
  await assertReturn(db, ctx.env, ctx.caller, input)

  const [[shown], [judged]] = await Promise.all([
    withPreviews(db, ctx.env, ctx.caller, [presentEventType(row, NOTHING_TAKEN)]),
    selectFactsOfNew(db, row, ctx.now),
  ])
  const eventType = { ...shown!, bookable: bookableOf(judged!.facts) }
  const [named] = selectNamedSchedules(db, ctx.caller, row.scheduleId)
  if (named && (await named).length === 0) throw notFound('schedule')
  const [foreign] = selectForeignResources(db, ctx.caller, row.requires)
  if (foreign && (await foreign).length > 0) throw notFound('resource')
  const statements = [
    ...guardNamedSchedule(db, row.scheduleId),
    ...guardResourcesNamed(db, row.requires),
    ...(isLimited(ctx.caller) ? [guardEventTypes(db, row)] : []),
    insertEventType(db, row),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'event_type.created',
      resourceType: 'event_type',
      resourceId: row.id,
      changes: { title: row.title, slug: row.slug },
    }),
    ...also(db, row.id),
  ]
  try {
    await withinPlan('event_types', commit(ctx, db, statements, { status: 201, body: eventType }))
  } catch (error) {
    const refusal = REFUSALS[fenceOf(error) ?? '']
    if (!refusal) throw error
    throw new Refused(refusal)
  }
  waitUntil(placeEventType(ctx.env, organizationId, row.id))
  return eventType
}
