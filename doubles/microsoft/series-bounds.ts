import { hasDate } from './expand-series.ts'
import { badRequest } from './graph-reply.ts'
import { dateText, wallMs } from './local-time.ts'
import type { EventFields, StoredEvent } from './state.ts'

/** learn.microsoft.com/graph/api/event-update: not to or before the day of the previous occurrence, nor past the next. */
export function checkNeighbours(event: StoredEvent, date: string, next: EventFields): void {
  const day = dateText(wallMs(next.start.ms, next.start.zone))
  for (const step of day < date ? [-1] : day > date ? [1] : []) {
    for (let at = 1; at <= 366; at += 1) {
      const other = dateText(Date.parse(`${date}T00:00:00Z`) + step * at * 86_400_000)
      const isReached = step < 0 ? other < day : other > day
      if (isReached) break
      if (isOccurrence(event, other)) {
        throw badRequest(
          'Modified occurrence is crossing or overlapping adjacent occurrence.',
          'ErrorOccurrenceCrossingBoundary',
        )
      }
    }
  }
}

const isOccurrence = (event: StoredEvent, date: string) =>
  !event.removedDates.has(date) && hasDate(event, date)
