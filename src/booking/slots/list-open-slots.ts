import { JsonBytes } from '../../platform/http/answer.ts'
import type { Context } from '../../platform/http/context.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { findOwnHold } from '../holds/find-own-hold.ts'
import type { AvailabilityQuery } from '../hours/event-type/schema.ts'
import { findSlotsOfHolder, knownSlots, rangeOf } from './find-open-slots.ts'
import { findSlotsFor } from './find-slots-for.ts'
import { type OpenSlots, seatsAt } from './open-slots.ts'
import { withOwnStart } from './own-start.ts'

const UTF8 = new TextEncoder()

/** Answers with an `Availability`, as text: a month has thousands of instants, and no code here reads them. */
export async function listOpenSlots(ctx: Context, query: AvailabilityQuery): Promise<WholeAnswer> {
  if (query.booking_id !== undefined || query.member_id !== undefined) {
    const slots = await findSlotsFor(ctx, query)
    const text = writeAvailability(query, slots)
    return new WholeAnswer({ status: 200, body: new JsonBytes(UTF8.encode(text)) }, false)
  }
  const own = query.hold_token && (await findOwnHold(ctx, query.event_type_id, query.hold_token))
  const known = await knownSlots(ctx, query)
  noteOrganization(ctx.env, known.found.organizationId)
  if (own) {
    const slots = known.slots.isMonthFull ? await findSlotsOfHolder(ctx, query) : known.slots
    const text = writeAvailability(query, withOwnStart(slots, own, rangeOf(query)))
    return new WholeAnswer({ status: 200, body: new JsonBytes(UTF8.encode(text)) }, false)
  }
  const bytes = known.written((slots) => UTF8.encode(writeAvailability(query, slots)))
  return new WholeAnswer({ status: 200, body: new JsonBytes(bytes) }, false)
}

function writeAvailability({ timezone, start, end }: AvailabilityQuery, slots: OpenSlots): string {
  const { eventTypeId, starts, fullStarts, isCapped, isMonthFull, nextAvailable } = slots
  const head = JSON.stringify({ event_type_id: eventTypeId, timezone, start, end }).slice(0, -1)
  const open = `"slots":[${writeTimes(slots, starts, writeSeats(slots))}]`
  const full = fullStarts ? `,"waitlist_slots":[${writeTimes(slots, fullStarts, null)}]` : ''
  const next = nextAvailable === null ? 'null' : `"${formatInstant(nextAvailable)}"`
  const hint = starts.length === 0 ? `,"next_available":${next}` : ''
  const closed = `${isCapped ? ',"capped":true' : ''}${isMonthFull ? ',"plan_limit":true' : ''}`
  return `${head},${open}${full}${closed}${hint}}`
}

function writeTimes(
  { durationMs }: OpenSlots,
  starts: readonly number[],
  more: ((start: number) => string) | null,
): string {
  let text = ''
  for (const start of starts) {
    const times = `{"start_time":"${formatInstant(start)}","end_time":"${formatInstant(start + durationMs)}"`
    text += `${text === '' ? '' : ','}${times}${more === null ? '' : more(start)}}`
  }
  return text
}

function writeSeats(slots: OpenSlots): ((start: number) => string) | null {
  const { seats } = slots
  if (seats === null) return null
  return (start) => `,"spots_remaining":${seatsAt(slots, start)},"total_capacity":${seats.capacity}`
}
