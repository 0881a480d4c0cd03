import type { Context } from '../../../platform/http/context.ts'
import { type DecisionLink, findLinked } from '../approval/find-linked.ts'

/** A booking whose event was moved, as its host or the owner sees it by the link in their email. */
export async function getDragged(ctx: Context, link: DecisionLink) {
  const { row, shown } = await findLinked(ctx, link, 'places')
  const { onBehalfOf } = shown.caller
  const isHeld = row.status === 'confirmed' || row.status === 'rescheduled'
  // Hosts who otherwise only read decide about what they host, as about requests.
  const role = onBehalfOf!.role === 'viewer' ? ('member' as const) : onBehalfOf!.role
  return {
    ...shown,
    caller: { ...shown.caller, onBehalfOf: { ...onBehalfOf!, role } },
    /** Where the event is; null where there is nothing to decide. */
    event: isHeld ? shown.booking.out_of_sync : null,
  }
}
export type FoundDragged = Awaited<ReturnType<typeof getDragged>>
