import type { ServiceCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { isId } from '../../../platform/db/ids.ts'
import type { Context } from '../../../platform/http/context.ts'
import { refuse } from '../../../platform/http/errors.ts'
import { assertCalled, countTokenCall } from '../../anonymous-callers/token-calls.ts'
import { presentBranding } from '../../branding/present.ts'
import { presentBooking } from '../present.ts'
import { selectAboutBooking, selectBookingWithOwner } from '../queries.ts'
import { type Decision, isDecisionToken } from './decision-link.ts'
import { selectDecider, selectRequest } from './queries.ts'

/** What a decision link identifies. */
export type DecisionLink = { readonly id: string; readonly memberId: string; readonly token: string }

/**
 * The booking of a decision link, for the member whom it was made for. The link ends when they neither host the booking nor
 * own the organization; then they are `unauthorized`.
 */
export async function findLinked(ctx: Context, link: DecisionLink, decision: Decision) {
  const [bookingId, memberId] = [link.id.toLowerCase(), link.memberId.toLowerCase()]
  const isSigned =
    isId(bookingId) &&
    isId(memberId) &&
    (await isDecisionToken(ctx.env, bookingId, memberId, link.token, decision))
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
  if (!found || !told || !member || !person) throw refuse('wrong_link')
  const { booking, eventType, organization } = found
  const caller: ServiceCaller = {
    kind: 'service',
    organizationId: booking.organizationId,
    isTest: booking.isTest,
    onBehalfOf: { memberId, ...member },
  }
  return {
    row: booking,
    request,
    sandboxNow: organization.sandboxNow,
    shown: {
      booking: presentBooking(booking),
      person,
      timezone: told.about.sender.timezone,
      /** The member of the link, for the call that decides. */
      caller,
      eventType: { title: eventType.title, color: eventType.color },
      organization: { name: organization.name, branding: presentBranding(organization) },
    },
  }
}
