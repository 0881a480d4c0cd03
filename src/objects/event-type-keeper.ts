import type { Env } from '../env.ts'
import { Announcer } from '../queue/announcer.ts'
import { PUT_AVAILABILITY } from '../resources/availability/commands.ts'
import { putAvailability } from '../resources/availability/put-availability.ts'
import { approveBooking } from '../resources/bookings/approve-booking.ts'
import { cancelBooking, declineBooking, giveUpUnpaid } from '../resources/bookings/cancel-booking.ts'
import {
  APPROVE_BOOKING,
  CANCEL_BOOKING,
  CREATE_BOOKING,
  DECLINE_BOOKING,
  DELETE_TEST_BOOKINGS,
  LINK_MEETING,
  RECORD_ATTENDANCE,
  RESCHEDULE_BOOKING,
} from '../resources/bookings/commands.ts'
import { confirmBooking } from '../resources/bookings/confirm-booking.ts'
import { createBooking } from '../resources/bookings/create-booking.ts'
import { deleteTestBookings } from '../resources/bookings/delete-test-bookings.ts'
import { linkMeeting } from '../resources/bookings/link-meeting.ts'
import { recordAttendance } from '../resources/bookings/record-attendance.ts'
import { rescheduleBooking } from '../resources/bookings/reschedule-booking.ts'
import { CalendarLooks } from '../resources/calendars/calendar-looks.ts'
import { UPDATE_EVENT_TYPE } from '../resources/event-types/commands.ts'
import { updateEventType } from '../resources/event-types/update-event-type.ts'
import { PASS_ON_FREED_TIME } from '../resources/freed-times/commands.ts'
import { CONFIRM_HOLD, CREATE_HOLD, RELEASE_HOLD, TIDY_HOLDS } from '../resources/holds/commands.ts'
import { confirmHold } from '../resources/holds/confirm-hold.ts'
import { createHold } from '../resources/holds/create-hold.ts'
import { releaseHold } from '../resources/holds/release-hold.ts'
import { tidyHolds } from '../resources/holds/tidy-holds.ts'
import { addHost } from '../resources/hosts/add-host.ts'
import { ADD_HOST, REMOVE_HOST, UPDATE_HOST } from '../resources/hosts/commands.ts'
import { removeHost } from '../resources/hosts/remove-host.ts'
import { updateHost } from '../resources/hosts/update-host.ts'
import { CONFIRM_BOOKING, GIVE_UP_UNPAID } from '../resources/payments/commands.ts'
import { JOIN_WAITLIST, LEAVE_WAITLIST } from '../resources/waitlist/commands.ts'
import { joinWaitlist } from '../resources/waitlist/join-waitlist.ts'
import { leaveWaitlist } from '../resources/waitlist/leave-waitlist.ts'
import { waitlist } from '../resources/waitlist/line.ts'
import { askEventType, type Command } from '../turn/command.ts'
import type { Outcome } from '../turn/outcome.ts'
import { ScheduleMemory } from '../turn/schedule-memory.ts'
import { Turns } from '../turn/turns.ts'
import type { Queries, Verb } from '../turn/verb.ts'
import type { TimeFreed, Workplace } from '../turn/workplace.ts'

type Does = (turns: Turns, input: never, leftMs?: number) => Promise<unknown>

function on<Input, Q extends Queries, Body>(
  { name }: Command<Input, Outcome<Body>>,
  verb: (input: Input) => Verb<Q, Body>,
): readonly [string, Does] {
  return [
    name,
    (turns, input: Input, leftMs) => turns.run(verb(input), { name, requestId: requestIdOf(input), leftMs }),
  ]
}

/** Commands of people say which request they came with. */
function requestIdOf(input: unknown): string | undefined {
  return (input as { readonly origin?: { readonly requestId?: string } }).origin?.requestId
}

const VERBS: ReadonlyMap<string, Does> = new Map([
  on(CREATE_BOOKING, createBooking),
  on(CANCEL_BOOKING, cancelBooking),
  on(RESCHEDULE_BOOKING, rescheduleBooking),
  on(CONFIRM_BOOKING, confirmBooking),
  on(APPROVE_BOOKING, approveBooking),
  on(DECLINE_BOOKING, declineBooking),
  on(CREATE_HOLD, createHold),
  on(CONFIRM_HOLD, confirmHold),
  on(RELEASE_HOLD, releaseHold),
  on(TIDY_HOLDS, tidyHolds),
  on(GIVE_UP_UNPAID, giveUpUnpaid),
  on(RECORD_ATTENDANCE, recordAttendance),
  on(LINK_MEETING, linkMeeting),
  on(DELETE_TEST_BOOKINGS, deleteTestBookings),
  on(UPDATE_EVENT_TYPE, updateEventType),
  on(PUT_AVAILABILITY, putAvailability),
  on(ADD_HOST, addHost),
  on(UPDATE_HOST, updateHost),
  on(REMOVE_HOST, removeHost),
  on(JOIN_WAITLIST, joinWaitlist),
  on(LEAVE_WAITLIST, leaveWaitlist),
  [PASS_ON_FREED_TIME.name, passOnFreedTime],
])

function passOnFreedTime(turns: Turns, { eventTypeId, now }: TimeFreed): Promise<void> {
  return turns.inTurn((workplace) => workplace.line.promote(workplace, eventTypeId, now))
}

/** What one event type's object remembers and does. */
export class EventTypeKeeper {
  readonly #turns: Turns

  /** `home` binds the database where the event type lives; what is given to `waitUntil` may outlast the command. */
  constructor(env: Env, home: Env, waitUntil: (work: Promise<unknown>) => void) {
    const announcer = new Announcer(env, waitUntil)
    const workplace: Workplace = {
      env: home,
      memory: new ScheduleMemory(),
      looks: new CalendarLooks(home),
      line: waitlist,
      announce: (message) => announcer.announce(message),
      tellTimeFreed: (news) => waitUntil(askEventType(env, news.eventTypeId, PASS_ON_FREED_TIME, news)),
    }
    this.#turns = new Turns(workplace)
  }

  run(name: string, input: unknown, leftMs?: number): Promise<unknown> {
    const does = VERBS.get(name)
    if (!does) throw new Error(`No verb does ${name}`)
    return does(this.#turns, input as never, leftMs)
  }
}
