import { JsonText } from '../../http/answer.ts'
import type { Context } from '../../http/context.ts'
import { formatInstant } from '../../http/fields.ts'
import { WholeAnswer } from '../../http/route.ts'
import { knownSlots } from './find-open-slots.ts'
import { type OpenSlots, seatsAt } from './open-slots.ts'
import type { AvailabilityQuery } from './schema.ts'

/** Answers with an `Availability`, written as text at once: a month has thousands of instants. */
export async function listOpenSlots(ctx: Context, query: AvailabilityQuery): Promise<WholeAnswer> {
  const known = await knownSlots(ctx, query)
  const { timezone, start, end } = query
  const head = JSON.stringify({ event_type_id: known.slots.eventTypeId, timezone, start, end })
  return new WholeAnswer(
    { status: 200, body: new JsonText(`${head.slice(0, -1)},${known.text(writeSlots)}}`) },
    false,
  )
}

/** The members of the answer that do not tell of the question. */
function writeSlots(slots: OpenSlots): string {
  const { starts, fullStarts, isCapped } = slots
  let text = `"slots":[${writeTimes(slots, starts, writeSeats(slots))}]`
  if (fullStarts) text += `,"waitlist_slots":[${writeTimes(slots, fullStarts, null)}]`
  return isCapped ? `${text},"capped":true` : text
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
