import { withoutHold } from '../../engine/schedule/apply-booking.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { missing } from '../../platform/http/errors.ts'
import type { ReleaseHold } from './commands.ts'
import { isHeld, presentHold } from './present.ts'
import { selectSlotHold, selectTimeOfHold } from './queries.ts'
import type { Hold } from './schema.ts'
import { guardHold, releaseSlotHold } from './statements.ts'

type Asked = readonly [ReturnType<typeof selectSlotHold>, ReturnType<typeof selectTimeOfHold>]

/** Releases a hold; its time goes to the waitlist first. Releasing an ended hold returns it unchanged. */
export function releaseHold(command: ReleaseHold): Verb<Asked, Hold> {
  const { eventTypeId, holdId, claim, now, origin } = command
  return {
    eventTypeId,
    claim,
    now,
    releases: holdId,
    asks: ({ db }) => [selectSlotHold(db, holdId), selectTimeOfHold(db, holdId)] as const,
    decide: ({ db }, { rows, now: present }) => {
      const [[read], [time]] = rows!
      if (!read) return { refusal: missing('hold') }
      if (!isHeld(read, present)) return { unchanged: presentHold(origin, read, present) }
      const hold = presentHold(origin, { ...read, status: 'released' }, present)
      const free = (schedule: Schedule) => withoutHold(schedule, read)
      return {
        status: 200,
        body: hold,
        statements: [
          guardHold(db, read, { evenSuspended: true }),
          releaseSlotHold(db, holdId, present),
          recordActivity(db, read, origin, {
            action: 'hold.released',
            resourceType: 'hold',
            resourceId: holdId,
            changes: { status: ['held', 'released'] },
          }),
        ],
        apply: free,
        ...(time && { frees: { booking: read, hold: time, endsFor: null, after: free } }),
      }
    },
    asItIs: ([[read]]) => read && presentHold(origin, read, now as never),
  }
}
