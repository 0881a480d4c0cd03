import { approveBooking } from '../../booking/bookings/approve-booking.ts'
import { cancelBooking, declineBooking, giveUpUnpaid } from '../../booking/bookings/cancel-booking.ts'
import {
  APPROVE_BOOKING,
  CANCEL_BOOKING,
  CREATE_BOOKING,
  DECLINE_BOOKING,
  DELETE_TEST_BOOKINGS,
  LINK_MEETING,
  NOTE_DRAG,
  REASSIGN_BOOKING,
  RECORD_ATTENDANCE,
  RESCHEDULE_BOOKING,
  UPDATE_BOOKING,
} from '../../booking/bookings/commands.ts'
import { confirmBooking } from '../../booking/bookings/confirm-booking.ts'
import { createBooking } from '../../booking/bookings/create-booking.ts'
import { deleteTestBookings } from '../../booking/bookings/delete-test-bookings.ts'
import { reassignBooking } from '../../booking/bookings/handover/reassign-booking.ts'
import { IMPORT_BOOKING } from '../../booking/bookings/imported/commands.ts'
import { importBooking } from '../../booking/bookings/imported/import-booking.ts'
import { linkMeeting } from '../../booking/bookings/link-meeting.ts'
import { noteDrag } from '../../booking/bookings/note-drag.ts'
import { recordAttendance } from '../../booking/bookings/record-attendance.ts'
import { rescheduleBooking } from '../../booking/bookings/reschedule-booking.ts'
import { updateBooking } from '../../booking/bookings/update-booking.ts'
import { FOLLOW_PLACE, UPDATE_EVENT_TYPE } from '../../booking/event-types/commands.ts'
import { followNext } from '../../booking/event-types/place-changes/follow-next.ts'
import { updateEventType } from '../../booking/event-types/update-event-type.ts'
import { CONFIRM_HOLD, CREATE_HOLD, RELEASE_HOLD, TIDY_HOLDS } from '../../booking/holds/commands.ts'
import { confirmHold } from '../../booking/holds/confirm-hold.ts'
import { createHold } from '../../booking/holds/create-hold.ts'
import { releaseHold } from '../../booking/holds/release-hold.ts'
import { tidyHolds } from '../../booking/holds/tidy-holds.ts'
import { addHost } from '../../booking/hosts/add-host.ts'
import { ADD_HOST, REMOVE_HOST, UPDATE_HOST } from '../../booking/hosts/commands.ts'
import { removeHost } from '../../booking/hosts/remove-host.ts'
import { updateHost } from '../../booking/hosts/update-host.ts'
import { PUT_AVAILABILITY } from '../../booking/hours/event-type/commands.ts'
import { putAvailability } from '../../booking/hours/event-type/put-availability.ts'
import { approveSeries } from '../../booking/series/approve-series.ts'
import { cancelSeries, declineSeries } from '../../booking/series/cancel-series.ts'
import {
  APPROVE_SERIES,
  CANCEL_SERIES,
  CREATE_SERIES,
  DECLINE_SERIES,
} from '../../booking/series/commands.ts'
import { createSeries } from '../../booking/series/create-series.ts'
import { cancelSession } from '../../booking/sessions/cancel-session.ts'
import { CANCEL_SESSION, RESCHEDULE_SESSION } from '../../booking/sessions/commands.ts'
import { rescheduleSession } from '../../booking/sessions/reschedule-session.ts'
import { JOIN_WAITLIST, LEAVE_WAITLIST } from '../../booking/waitlist/commands.ts'
import { joinWaitlist } from '../../booking/waitlist/join-waitlist.ts'
import { leaveWaitlist } from '../../booking/waitlist/leave-waitlist.ts'
import { waitlist } from '../../booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../calendars/check-calendars.ts'
import { PASS_ON_FREED_TIME } from '../../engine/freed-times/commands.ts'
import { askEventType, type Command } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import { ScheduleMemory } from '../../engine/turn/schedule-memory.ts'
import { Turns } from '../../engine/turn/turns.ts'
import type { Queries, Verb } from '../../engine/turn/verb.ts'
import type { TimeReleased, Workplace } from '../../engine/turn/workplace.ts'
import type { Env } from '../../env.ts'
import { CONFIRM_BOOKING, GIVE_UP_UNPAID } from '../../money/payments/commands.ts'
import { Announcer } from '../../platform/queue/announcer.ts'

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
  on(REASSIGN_BOOKING, reassignBooking),
  on(CONFIRM_BOOKING, confirmBooking),
  on(APPROVE_BOOKING, approveBooking),
  on(DECLINE_BOOKING, declineBooking),
  on(CREATE_HOLD, createHold),
  on(CONFIRM_HOLD, confirmHold),
  on(RELEASE_HOLD, releaseHold),
  on(TIDY_HOLDS, tidyHolds),
  on(GIVE_UP_UNPAID, giveUpUnpaid),
  on(RESCHEDULE_SESSION, rescheduleSession),
  on(CANCEL_SESSION, cancelSession),
  on(CREATE_SERIES, createSeries),
  on(CANCEL_SERIES, cancelSeries),
  on(APPROVE_SERIES, approveSeries),
  on(DECLINE_SERIES, declineSeries),
  on(UPDATE_BOOKING, updateBooking),
  on(RECORD_ATTENDANCE, recordAttendance),
  on(IMPORT_BOOKING, importBooking),
  on(LINK_MEETING, linkMeeting),
  on(NOTE_DRAG, noteDrag),
  on(DELETE_TEST_BOOKINGS, deleteTestBookings),
  on(UPDATE_EVENT_TYPE, updateEventType),
  on(FOLLOW_PLACE, followNext),
  on(PUT_AVAILABILITY, putAvailability),
  on(ADD_HOST, addHost),
  on(UPDATE_HOST, updateHost),
  on(REMOVE_HOST, removeHost),
  on(JOIN_WAITLIST, joinWaitlist),
  on(LEAVE_WAITLIST, leaveWaitlist),
  [PASS_ON_FREED_TIME.name, passOnFreedTime],
])

function passOnFreedTime(turns: Turns, { eventTypeId, now }: TimeReleased): Promise<void> {
  return turns.inTurn((workplace) => workplace.waitlist.promote(workplace, eventTypeId, now))
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
      checks: new CalendarLooks(home),
      waitlist,
      announce: (message) => announcer.announce(message),
      announceReleased: (news) => waitUntil(askEventType(env, news.eventTypeId, PASS_ON_FREED_TIME, news)),
    }
    this.#turns = new Turns(workplace)
  }

  run(name: string, input: unknown, leftMs?: number): Promise<unknown> {
    const does = VERBS.get(name)
    if (!does) throw new Error(`No verb does ${name}`)
    return does(this.#turns, input as never, leftMs)
  }
}
