import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { Refused } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { assertConferencing } from './assert-conferencing.ts'
import { presentEventType } from './present.ts'
import type { CreateEventTypeInput, EventType } from './schema.ts'
import { type EventTypeRow, getDefaultTimezone, insertEventType } from './store.ts'
import { assertCoherent, SLUG_TAKEN, toColumns, withCapPeriod } from './to-columns.ts'

const DEFAULTS = {
  description: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  minimumNoticeMinutes: 0,
  color: '#3b82f6',
  active: true,
  priceAmount: null,
  priceCurrency: 'usd',
  reminderIntervals: [1440, 60],
  durationOptions: null,
  maxAttendees: 1,
  assignmentStrategy: 'none',
  bookingCap: null,
  bookingCapPeriod: null,
  waitlistEnabled: false,
  waitlistMax: 50,
  waitlistTtlDays: 7,
  bookingPageEnabled: false,
  conferencingProvider: null,
  customMeetingUrl: null,
  location: null,
  verifyEmail: false,
  activeBookings: 0,
  deletedAt: null,
} satisfies Partial<EventTypeRow>

export async function createEventType(
  ctx: Context<TenantCaller>,
  input: CreateEventTypeInput,
): Promise<EventType> {
  const { organizationId, isTest } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const row = withCapPeriod({
    ...DEFAULTS,
    id: newId(),
    organizationId,
    isTest,
    title: input.title,
    slug: input.slug,
    durationMinutes: input.duration_minutes,
    timezone: input.timezone ?? (await getDefaultTimezone(db, organizationId)),
    createdAt: ctx.now,
    updatedAt: ctx.now,
    ...toColumns(input),
  })
  assertCoherent(row)
  await assertConferencing(db, ctx.caller, input)

  const eventType = presentEventType(row, 0)
  const statements = [
    insertEventType(db, row),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'event_type.created',
      resourceType: 'event_type',
      resourceId: row.id,
      changes: { title: row.title, slug: row.slug },
    }),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: eventType })
  } catch (error) {
    if (fenceOf(error) !== 'SLUG_TAKEN') throw error
    throw new Refused(SLUG_TAKEN)
  }
  return eventType
}
