import { isOver } from '../../../engine/waits/wait-of.ts'
import type { ServiceCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { isId } from '../../../platform/db/ids.ts'
import type { Context } from '../../../platform/http/context.ts'
import { refuse } from '../../../platform/http/errors.ts'
import { nowAsSeen } from '../../../platform/limits/clock.ts'
import { assertCalled, countTokenCall } from '../../anonymous-callers/token-calls.ts'
import { presentBranding } from '../../branding/present.ts'
import { openAnswers } from '../../questions/take-answers.ts'
import { presentBooking } from '../present.ts'
import { selectAboutBooking, selectBookingWithOwner } from '../queries.ts'
import { isDecisionToken } from './decision-link.ts'
import { selectDecider, selectRequest } from './queries.ts'

/** What a decision link identifies. */
export type DecisionLink = { readonly id: string; readonly memberId: string; readonly token: string }

/**
 * A request as its host or the owner sees it by the link in their email. The link ends when they no longer decide about it;
 * then they are `unauthorized`.
 */
export async function getRequest(ctx: Context, link: DecisionLink) {
  const [bookingId, memberId] = [link.id.toLowerCase(), link.memberId.toLowerCase()]
  const isSigned =
    isId(bookingId) && isId(memberId) && (await isDecisionToken(ctx.env, bookingId, memberId, link.token))
  if (!isSigned) throw refuse('wrong_link')
  const db = openDb(ctx.env, 'decide')
  const [[found], [told], [request], [member], calls] = await db.batch([
    selectBookingWithOwner(db, bookingId),
    selectAboutBooking(db, bookingId),
    selectRequest(db, bookingId),
    selectDecider(db, memberId),
    countTokenCall(db, memberId, ctx.now),
  ])
  assertCalled(calls, ctx.now)
  const person = told?.people.find(({ id }) => id === memberId)
  if (!found || !told || !request || !member || !person) throw refuse('wrong_link')
  const { booking, eventType, organization } = found
  const now = nowAsSeen(booking.isTest, organization.sandboxNow, ctx.now)
  const caller: ServiceCaller = {
    kind: 'service',
    organizationId: booking.organizationId,
    isTest: booking.isTest,
    onBehalfOf: { memberId, ...member },
  }
  return {
    booking: presentBooking(booking),
    answers: await openAnswers(ctx.env, booking.answers),
    decideBy: request.expiresAt,
    isOpen: booking.status === 'pending_approval' && !isOver(request, now),
    person,
    timezone: told.about.sender.timezone,
    /** The member of the link, for the call that decides. */
    caller,
    eventType: { title: eventType.title, color: eventType.color },
    organization: { name: organization.name, branding: presentBranding(organization) },
  }
}
export type FoundRequest = Awaited<ReturnType<typeof getRequest>>
