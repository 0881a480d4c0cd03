import type { Verb } from '../../../engine/turn/verb.ts'
import { nowAsSeen } from '../../../platform/limits/clock.ts'
import type { FollowPlace } from '../commands.ts'
import { followOn } from './follow-place.ts'
import { selectChanged } from './queries.ts'

/** The next upcoming bookings follow. Asked again, it takes those along that are left, so each booking follows once. */
export function followNext(command: FollowPlace): Verb<readonly [ReturnType<typeof selectChanged>], null> {
  const { eventTypeId, now, ...change } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) => [selectChanged(db, change.tenant, eventTypeId)] as const,
    decide: async ({ db }, { rows }) => {
      const [found] = rows![0]
      if (!found) return { unchanged: null }
      const { eventType, sandboxNow } = found
      const present = nowAsSeen(eventType.isTest, sandboxNow, now)
      const { statements, messages } = await followOn(db, eventType, { ...change, now: present })
      if (statements.length === 0) return { unchanged: null }
      return { status: 200, body: null, statements, messages, apply: (known) => known }
    },
  }
}
