import { CREATE_BOOKING } from '../../booking/bookings/commands.ts'
import { CreateBookingInput } from '../../booking/bookings/input-schema.ts'
import { createEventType } from '../../booking/event-types/create-event-type.ts'
import { CreateEventTypeInput } from '../../booking/event-types/input-schema.ts'
import { PUT_AVAILABILITY } from '../../booking/hours/event-type/commands.ts'
import { findOpenSlots } from '../../booking/slots/find-open-slots.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { isLimited, withinPlan } from '../../money/plan-limits/refusals.ts'
import { guardEventTypes } from '../../money/plan-limits/statements.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { looseId } from '../../platform/db/ids.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { formatInstant } from '../../platform/http/instants.ts'

const WEEKDAYS = [1, 2, 3, 4, 5].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}))
const EVENT_TYPES = [
  { title: 'Intro call', slug: 'intro-call', duration_minutes: 30, buffer_after_minutes: 10 },
  { title: 'Deep dive', slug: 'deep-dive', duration_minutes: 60, location: 'Room 4' },
]
const INVITEES = [
  { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com', invitee_timezone: 'Europe/London' },
  { invitee_name: 'Grace Hopper', invitee_email: 'grace@example.com', invitee_timezone: 'America/New_York' },
  { invitee_name: 'Katherine Johnson', invitee_email: 'katherine@example.com' },
]

/** A small realistic set, made by the same verbs that the API uses. */
export async function makeTestData(ctx: Context<TenantCaller>) {
  // This request's Idempotency-Key covers the whole set, not a part of it.
  const inner: Context<TenantCaller> = { ...ctx, claim: null }
  await assertRoom(ctx)
  let bookings = 0
  for (const [at, input] of EVENT_TYPES.entries()) {
    const slug = `${input.slug}-${looseId().slice(-6)}`
    const eventType = await createEventType(inner, CreateEventTypeInput.parse({ ...input, slug }))
    const command = { ...commandBase(ctx), eventTypeId: eventType.id, input: { rules: WEEKDAYS } }
    answerOf(await askEventType(ctx.env, eventType.id, PUT_AVAILABILITY, command))
    bookings += await bookSome(inner, eventType.id, at === 0 ? INVITEES.slice(0, 2) : INVITEES.slice(2))
  }
  const answer = { created: { event_types: EVENT_TYPES.length, bookings } }
  const db = openDb(ctx.env, 'decide')
  const entry = recordActivity(db, ctx.caller, originOf(ctx), {
    action: 'test_data.created',
    resourceType: 'organization',
    resourceId: ctx.caller.organizationId,
    changes: answer.created,
  })
  await commit(ctx, db, [entry], { status: 201, body: answer })
  return answer
}

/** Otherwise a part of the set would be left behind. */
async function assertRoom({ env, caller }: Context<TenantCaller>): Promise<void> {
  if (!isLimited(caller)) return
  const db = openDb(env, 'decide')
  await withinPlan('event_types', commitBatch(db, [guardEventTypes(db, caller, EVENT_TYPES.length)]))
}

function commandBase(ctx: Context<TenantCaller>) {
  const tenant = { organizationId: ctx.caller.organizationId, isTest: true }
  return { origin: originOf(ctx), now: ctx.now, tenant }
}

async function bookSome(ctx: Context<TenantCaller>, eventTypeId: string, invitees: typeof INVITEES) {
  const date = (days: number) => new Date(ctx.now + days * DAY_MS).toISOString().slice(0, 10)
  const query = { event_type_id: eventTypeId, start: date(1), end: date(8), timezone: 'UTC' }
  const { starts } = await findOpenSlots(ctx, query)
  let booked = 0
  for (const [at, invitee] of invitees.entries()) {
    const start = starts[at * 5]
    if (start === undefined) continue
    const input = CreateBookingInput.parse({
      event_type_id: eventTypeId,
      start_time: formatInstant(start),
      ...invitee,
    })
    const command = { ...commandBase(ctx), claim: null, eventTypeId, input }
    const outcome = await askEventType(ctx.env, eventTypeId, CREATE_BOOKING, command)
    if (outcome.kind === 'done') booked += 1
  }
  return booked
}
