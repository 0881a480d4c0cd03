import { DurableObject } from 'cloudflare:workers'
import { bareError } from '../../db/bare-error.ts'
import type { Env } from '../../env.ts'
import { type IdempotencyClaim, STILL_RUNNING } from '../../http/idempotency.ts'
import { tellQueue } from '../../queue/messages.ts'
import type { PutAvailability } from '../availability/commands.ts'
import { putAvailability } from '../availability/put-availability.ts'
import { CalendarLooks } from '../calendars/calendar-looks.ts'
import type { UpdateEventType } from '../event-types/commands.ts'
import { updateEventType } from '../event-types/update-event-type.ts'
import { addHost } from '../hosts/add-host.ts'
import type { AddHost, RemoveHost } from '../hosts/commands.ts'
import { removeHost } from '../hosts/remove-host.ts'
import type { JoinWaitlist, LeaveWaitlist, TimeFreed } from '../waitlist/commands.ts'
import { joinWaitlist } from '../waitlist/join-waitlist.ts'
import { leaveWaitlist } from '../waitlist/leave-waitlist.ts'
import { promoteWaiting } from '../waitlist/promote-waiting.ts'
import { cancelBooking } from './cancel-booking.ts'
import {
  type CancelBooking,
  type ConfirmBooking,
  type CreateBooking,
  type LinkMeeting,
  type Outcome,
  type RescheduleBooking,
  refused,
} from './commands.ts'
import { confirmBooking } from './confirm-booking.ts'
import { createBooking } from './create-booking.ts'
import { deleteTestBookings } from './delete-test-bookings.ts'
import { keepOutcome } from './kept-outcome.ts'
import { linkMeeting } from './link-meeting.ts'
import { Mutex } from './mutex.ts'
import { rescheduleBooking } from './reschedule-booking.ts'
import { ScheduleMemory } from './schedule-memory.ts'
import type { Workplace } from './workplace.ts'

/**
 * One object per event type: every change of its bookings happens here, one at a time. An object's own calls
 * interleave wherever they await the database, hence the mutex. It holds nothing that it could not lose.
 */
export class EventTypeObject extends DurableObject<Env> {
  readonly #mutex = new Mutex()
  readonly #workplace: Workplace = {
    env: this.env,
    memory: new ScheduleMemory(),
    looks: new CalendarLooks(this.env),
    announce: (message) => this.ctx.waitUntil(tellQueue(this.env, message)),
    tellTimeFreed: (news) =>
      this.ctx.waitUntil(eventTypeObject(this.env, news.eventTypeId).passOnFreedTime(news)),
  }
  readonly #running = new Set<string>()

  createBooking(command: CreateBooking): Promise<Outcome> {
    const arrivedAt = this.#workplace.memory.tick()
    return this.#once(command.claim, () => createBooking(this.#workplace, arrivedAt, command))
  }

  cancelBooking(command: CancelBooking): Promise<Outcome> {
    return this.#once(command.claim, () => cancelBooking(this.#workplace, command))
  }

  confirmBooking(command: ConfirmBooking): Promise<void> {
    return this.#inTurn(() => confirmBooking(this.#workplace, command))
  }

  rescheduleBooking(command: RescheduleBooking): Promise<Outcome> {
    return this.#once(command.claim, () => rescheduleBooking(this.#workplace, command))
  }

  updateEventType(command: UpdateEventType): Promise<Outcome> {
    return this.#inTurn(() => updateEventType(this.#workplace, command))
  }

  putAvailability(command: PutAvailability): Promise<Outcome> {
    return this.#inTurn(() => putAvailability(this.#workplace, command))
  }

  addHost(command: AddHost): Promise<Outcome> {
    return this.#once(command.claim, () => addHost(this.#workplace, command))
  }

  removeHost(command: RemoveHost): Promise<Outcome> {
    return this.#inTurn(() => removeHost(this.#workplace, command))
  }

  joinWaitlist(command: JoinWaitlist): Promise<Outcome> {
    return this.#once(command.claim, () => joinWaitlist(this.#workplace, command))
  }

  leaveWaitlist(command: LeaveWaitlist): Promise<Outcome> {
    return this.#once(command.claim, () => leaveWaitlist(this.#workplace, command))
  }

  passOnFreedTime({ eventTypeId, now }: TimeFreed): Promise<void> {
    return this.#inTurn(() => promoteWaiting(this.#workplace, eventTypeId, now))
  }

  linkMeeting(command: LinkMeeting): Promise<void> {
    return this.#inTurn(() => linkMeeting(this.#workplace, command))
  }

  deleteTestBookings(eventTypeId: string): Promise<void> {
    return this.#inTurn(() => deleteTestBookings(this.#workplace, eventTypeId))
  }

  /** What fails unexpectedly is told to the caller, and by the runtime to the log, without its parameters. */
  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(task)
    } catch (error) {
      throw bareError(error)
    }
  }

  /** Waits for its turn, unless a request with the same Idempotency-Key already does, and keeps how it ended. */
  async #once(claim: IdempotencyClaim | null, task: () => Promise<Outcome>): Promise<Outcome> {
    if (!claim) return this.#inTurn(task)
    const key = `${claim.scope}\n${claim.key}`
    if (this.#running.has(key)) return refused(STILL_RUNNING)
    this.#running.add(key)
    try {
      return await keepOutcome(this.env, claim, await this.#inTurn(task))
    } finally {
      this.#running.delete(key)
    }
  }
}

type Calls = Pick<
  EventTypeObject,
  | 'createBooking'
  | 'cancelBooking'
  | 'confirmBooking'
  | 'rescheduleBooking'
  | 'updateEventType'
  | 'putAvailability'
  | 'addHost'
  | 'removeHost'
  | 'joinWaitlist'
  | 'leaveWaitlist'
  | 'passOnFreedTime'
  | 'linkMeeting'
  | 'deleteTestBookings'
>

export function eventTypeObject(env: Env, eventTypeId: string): Calls {
  // The platform's types take plain JSON of unknown shape for something that cannot cross; it can.
  return env.EVENT_TYPES.getByName(eventTypeId) as unknown as Calls
}
