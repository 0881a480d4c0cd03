import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { Expected } from '../../platform/http/if-match.ts'
import type { AskedMs, RealMs } from '../../platform/limits/clock.ts'
import type { UpdateEventTypeInput } from './input-schema.ts'
import type { PlaceChange } from './place-changes/follow-place.ts'
import type { OwnEventType } from './schema.ts'

export type UpdateEventType = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly id: string
  readonly input: UpdateEventTypeInput
  readonly expected: Expected
  readonly now: AskedMs
}

/** The next upcoming bookings follow their event type to another place. */
export type FollowPlace = Omit<PlaceChange, 'now'> & { readonly eventTypeId: string; readonly now: RealMs }

export const FOLLOW_PLACE = defineCommand<FollowPlace, Outcome<null>>('follow_place')

export const UPDATE_EVENT_TYPE = defineCommand<UpdateEventType, Outcome<OwnEventType>>('update_event_type')
