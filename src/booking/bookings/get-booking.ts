import { loggedActorOf, type PublicCaller, type TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { presentAnswers } from '../questions/take-answers.ts'
import { allowedActions, termsOf } from './allowed-actions.ts'
import { assertTheirs, findCounted } from './authorize-change.ts'
import { presentBookingDetail, presentPhone } from './present.ts'
import { selectBookingDetail } from './queries.ts'
import type { BookingDetail } from './schema.ts'

/** A booking for its organization and its invitee: both may see all of it. */
export async function getBooking(
  ctx: Context<PublicCaller | TenantCaller>,
  id: string,
  token: string | undefined,
): Promise<BookingDetail> {
  const found = await findCounted(ctx, id, token, (db) => selectBookingDetail(db, id))
  if (!found) throw notFound('booking')
  await assertTheirs(ctx, found.booking, token)
  const { booking, eventType } = found
  const now = nowAsSeen(booking.isTest, found.sandboxNow, ctx.now)
  const isInvitee = ctx.caller.kind === 'public'
  const actions = allowedActions(booking, termsOf(found), isInvitee, now)
  const sealed = {
    answers: await presentAnswers(ctx.env, booking.answers),
    invitee_phone: await presentPhone(ctx.env, booking),
  }
  return presentBookingDetail(booking, eventType, sealed, actions, loggedActorOf(ctx.caller))
}
