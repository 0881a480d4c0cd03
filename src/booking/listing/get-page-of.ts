import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import type { Context } from '../../platform/http/context.ts'
import { findPageOf } from './queries.ts'

/** Where the event type of a booking, a waitlist entry or a series can be booked; null if its page is not listed. */
export async function getPageOf(ctx: Context, id: string) {
  const wanted = id.toLowerCase()
  return isId(wanted) ? findPageOf(openDb(ctx.env, 'read'), wanted) : null
}
