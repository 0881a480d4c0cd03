import type { Call, Json, Reply } from '../world.ts'
import { refuse } from './refuse.ts'

/** `take` and `skip`, or the refusal: calcom/cal.diy#16200, #21173. */
export function partOf(call: Call, usual: number): { take: number; skip: number } | { refusal: Reply } {
  const take = Number(call.query.get('take') ?? usual)
  const skip = Number(call.query.get('skip') ?? 0)
  if (!(take >= 1)) return { refusal: refuse(call, 400, 'take must not be less than 1') }
  if (!(take <= 250)) return { refusal: refuse(call, 400, 'take must not be greater than 250') }
  if (!(skip >= 0)) return { refusal: refuse(call, 400, 'skip must not be less than 0') }
  return { take, skip }
}

/** Bookings alone have this beside `data`; other lists say nothing of what is left. */
export function pagination(totalItems: number, returnedItems: number, take: number, skip: number): Json {
  const totalPages = totalItems === 0 ? 0 : Math.ceil(totalItems / take)
  const currentPage = Math.floor(skip / take) + 1
  return {
    returnedItems,
    totalItems,
    itemsPerPage: take,
    remainingItems: Math.max(0, totalItems - skip - returnedItems),
    currentPage,
    totalPages,
    hasNextPage: skip + returnedItems < totalItems,
    hasPreviousPage: skip > 0,
  }
}
