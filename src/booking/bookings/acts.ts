import { actorOf, type Origin } from '../../platform/auth/caller.ts'
import type { Actor, Acts, BookingRow } from '../../platform/db/schema/bookings.ts'

type Acted = Pick<BookingRow, 'acts'>

/** The column after these acts of one actor. */
export function withActs({ acts }: Acted, origin: Origin, ...done: readonly (keyof Acts)[]): { acts: Acts } {
  const actor = actorOf(origin)
  return { acts: { ...acts, ...Object.fromEntries(done.map((act) => [act, actor])) } }
}

type Shown = Partial<Actor> & Pick<Actor, 'type'>

/** The last actor of each act. Invitees see its kind only. */
export function presentActs({ acts }: Acted, isInvitee = false) {
  const shown = (actor: Actor | undefined): Shown | null =>
    actor === undefined ? null : isInvitee ? { type: actor.type } : actor
  return {
    cancelled_by: shown(acts?.cancelled),
    rescheduled_by: shown(acts?.rescheduled),
    reassigned_by: shown(acts?.reassigned),
    approved_by: shown(acts?.approved),
    declined_by: shown(acts?.declined),
  }
}
