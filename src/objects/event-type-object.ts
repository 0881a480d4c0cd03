import { DurableObject } from 'cloudflare:workers'
import { bareError } from '../db/bare-error.ts'
import type { Env } from '../env.ts'
import { type IdempotencyClaim, STILL_RUNNING } from '../http/idempotency.ts'
import { tellQueue } from '../queue/messages.ts'
import { PUT_AVAILABILITY } from '../resources/availability/commands.ts'
import { putAvailability } from '../resources/availability/put-availability.ts'
import { cancelBooking, giveUpUnpaid } from '../resources/bookings/cancel-booking.ts'
import {
  CANCEL_BOOKING,
  CREATE_BOOKING,
  DELETE_TEST_BOOKINGS,
  LINK_MEETING,
  RESCHEDULE_BOOKING,
} from '../resources/bookings/commands.ts'
import { confirmBooking } from '../resources/bookings/confirm-booking.ts'
import { createBooking } from '../resources/bookings/create-booking.ts'
import { deleteTestBookings } from '../resources/bookings/delete-test-bookings.ts'
import { linkMeeting } from '../resources/bookings/link-meeting.ts'
import { rescheduleBooking } from '../resources/bookings/reschedule-booking.ts'
import { CalendarLooks } from '../resources/calendars/calendar-looks.ts'
import { UPDATE_EVENT_TYPE } from '../resources/event-types/commands.ts'
import { updateEventType } from '../resources/event-types/update-event-type.ts'
import { addHost } from '../resources/hosts/add-host.ts'
import { ADD_HOST, REMOVE_HOST } from '../resources/hosts/commands.ts'
import { removeHost } from '../resources/hosts/remove-host.ts'
import { CONFIRM_BOOKING, GIVE_UP_UNPAID } from '../resources/payments/commands.ts'
import { JOIN_WAITLIST, LEAVE_WAITLIST, PASS_ON_FREED_TIME } from '../resources/waitlist/commands.ts'
import { joinWaitlist } from '../resources/waitlist/join-waitlist.ts'
import { leaveWaitlist } from '../resources/waitlist/leave-waitlist.ts'
import { passOnFreedTime } from '../resources/waitlist/promote-waiting.ts'
import { askEventType, type Command } from '../turn/command.ts'
import { keepOutcome } from '../turn/kept-outcome.ts'
import { Mutex } from '../turn/mutex.ts'
import { type Outcome, refused } from '../turn/outcome.ts'
import { ScheduleMemory } from '../turn/schedule-memory.ts'
import type { Workplace } from '../turn/workplace.ts'

type Verb = (workplace: Workplace, input: never, arrivedAt: number) => Promise<unknown>

function on<Input, Result>(
  { name }: Command<Input, Result>,
  verb: (workplace: Workplace, input: Input, arrivedAt: number) => Promise<Result>,
): readonly [string, Verb] {
  return [name, verb]
}

const VERBS: ReadonlyMap<string, Verb> = new Map([
  on(CREATE_BOOKING, createBooking),
  on(CANCEL_BOOKING, cancelBooking),
  on(RESCHEDULE_BOOKING, rescheduleBooking),
  on(CONFIRM_BOOKING, confirmBooking),
  on(GIVE_UP_UNPAID, giveUpUnpaid),
  on(LINK_MEETING, linkMeeting),
  on(DELETE_TEST_BOOKINGS, deleteTestBookings),
  on(UPDATE_EVENT_TYPE, updateEventType),
  on(PUT_AVAILABILITY, putAvailability),
  on(ADD_HOST, addHost),
  on(REMOVE_HOST, removeHost),
  on(JOIN_WAITLIST, joinWaitlist),
  on(LEAVE_WAITLIST, leaveWaitlist),
  on(PASS_ON_FREED_TIME, passOnFreedTime),
])

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
      this.ctx.waitUntil(askEventType(this.env, news.eventTypeId, PASS_ON_FREED_TIME, news)),
  }
  readonly #running = new Set<string>()

  /** Does what `askEventType` asks for, in its turn. */
  run(name: string, input: { readonly claim?: IdempotencyClaim | null }): Promise<unknown> {
    const verb = VERBS.get(name)
    if (!verb) throw new Error(`No verb does ${name}`)
    const arrivedAt = this.#workplace.memory.tick()
    const task = () => verb(this.#workplace, input as never, arrivedAt)
    return input.claim ? this.#once(input.claim, task as () => Promise<Outcome<unknown>>) : this.#inTurn(task)
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
  async #once(claim: IdempotencyClaim, task: () => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
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
