import { RULES_TO_SET_ASIDE } from '../../../core/rules-to-set-aside.ts'
import { withBooking } from '../../../engine/schedule/apply-booking.ts'
import { decideStart } from '../../../engine/schedule/decide-start.ts'
import { refuseHost } from '../../../engine/schedule/of-host.ts'
import { isCollective } from '../../../engine/schedule/placement.ts'
import type { EventTypeRow, Schedule } from '../../../engine/schedule/schedule.ts'
import { refuseSeats } from '../../../engine/schedule/slot-request.ts'
import { movedBy } from '../../../engine/schedule/version.ts'
import type { Decided, State, Turn, Verb } from '../../../engine/turn/verb.ts'
import { insertWait } from '../../../engine/waits/statements.ts'
import { waitOf } from '../../../engine/waits/wait-of.ts'
import { logEntryOf } from '../../../outbox/activity/bookings/own-entry.ts'
import type { Place } from '../../../platform/db/schema/event-types.ts'
import { missing } from '../../../platform/http/errors.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import { sealAnswers } from '../../questions/take-answers.ts'
import { creditInserted } from '../credits/statements.ts'
import { refuseSuspended } from '../decide-booking.ts'
import { inviteeOf, newBooking } from '../new-booking.ts'
import { requestOf, takeStart } from '../prepare-booking.ts'
import { sealPhone } from '../present.ts'
import { insertBooking } from '../statements.ts'
import type { ForeignBooking, ImportBooking } from './commands.ts'
import { foreignAnswers } from './foreign-answers.ts'
import { markImported } from './statements.ts'

type Imported = { readonly id: string }

/**
 * Books what was booked at another service, whatever rules of this one it breaks: only time and seats that are taken refuse it.
 * It has no event, so that no notification is sent, and no calendar, because the other service wrote its event.
 */
export function importBooking(command: ImportBooking): Verb<readonly [], Imported> {
  const { eventTypeId, claim, now } = command
  return {
    eventTypeId,
    claim,
    now,
    around: command.booking.startTime,
    reachesBack: true,
    canRecall: () => true,
    servesFirst: true,
    asks: () => [],
    decide: (turn, state) => decide(turn, state, command),
  }
}

async function decide(
  { env, db }: Turn,
  { schedule, now }: State<readonly []>,
  { tenant, memberId, source, booking, origin }: ImportBooking,
): Promise<Decided<Imported>> {
  if (!schedule || schedule.eventType.organizationId !== tenant.organizationId) {
    return { refusal: missing('event type') }
  }
  const { eventType, organization, hosts } = schedule
  const isForAll =
    eventType.assignmentStrategy === 'none' ||
    (hosts.length > 0 && hosts.every(({ part }) => part === 'required'))
  // Without a host of ours, nobody else gets it.
  const host = isForAll ? null : (memberId ?? '')
  const emails = emailsOf(booking)
  const refusal =
    refuseSuspended(schedule) ?? refuseHost(schedule, host, false) ?? refuseSeats(eventType, emails.length)
  if (refusal) return { refusal }
  const decision = decideStart(schedule, booking.startTime, {
    durationMinutes: booking.durationMinutes,
    now,
    emails,
    mover: null,
    hostsToSkip: 0,
    memberId: host,
    setAside: RULES_TO_SET_ASIDE,
  })
  if ('refusal' in decision) return decision

  const { placement } = decision
  const { questions, answers } = foreignAnswers(eventType.questions, booking.answers)
  const place = placeFor(eventType, booking)
  const invitee = inviteeOf(
    {
      invitee_name: booking.name,
      invitee_email: booking.email,
      ...(booking.timezone !== null && { invitee_timezone: booking.timezone }),
      locale: booking.locale,
      notes: booking.notes,
      answers: null,
      metadata: {},
      attendees: [...booking.attendees],
      guests: [...booking.guests],
    },
    organization.locale,
    {
      answers: await sealAnswers(env, questions, answers),
      phone: await sealPhone(env, booking.phone),
      place,
    },
  )
  const free = { amount: 0, currency: eventType.priceCurrency }
  const made = newBooking(
    { ...eventType, requiresApproval: booking.isPending },
    invitee,
    placement,
    false,
    now,
    free,
  )
  const row = {
    ...made,
    hostChosen: host !== null,
    overridden: decision.overridden ?? null,
    calendarConnectionId: null,
    busyAsOf: null,
    ...(booking.meetingUrl && { ownMeetingUrl: booking.meetingUrl, conferencingUrl: booking.meetingUrl }),
  }
  const request = booking.isPending ? requestOf(row, eventType, now) : null
  const changes = {
    status: row.status,
    start_time: formatInstant(row.startTime),
    end_time: formatInstant(row.endTime),
    ...(row.overridden && { overridden: row.overridden }),
    imported_from: source.split('/')[0],
  }
  return {
    status: 201,
    body: { id: row.id },
    decidedOn: schedule,
    statements: [
      ...takeStart(db, schedule, placement, row, now),
      insertBooking(db, {
        ...row,
        countsForAll: isCollective(schedule, placement),
        logEntry: logEntryOf(origin, changes),
      }),
      ...(request ? [insertWait(db, waitOf(row, request, now))] : []),
      ...creditInserted(db, schedule, placement, now),
      markImported(db, { organizationId: row.organizationId, source, madeId: row.id, createdAt: now }),
    ],
    apply: (known: Schedule) => withBooking(known, row, placement, request?.expiresAt ?? null),
    ...(request === null && { moves: movedBy(schedule, row, placement) }),
  }
}

function emailsOf({ email, attendees }: ForeignBooking): string[] {
  return [...new Set([email, ...attendees.map((one) => one.email)].map((one) => one.toLowerCase()))]
}

/** The place as it was agreed on, under the id of the event type's own of that kind. */
function placeFor({ places }: EventTypeRow, { place }: ForeignBooking): Place | null {
  if (place === null) return null
  const own = places.find(({ kind }) => kind === place.kind)
  return { id: own?.id ?? place.kind, kind: place.kind, label: own?.label ?? null, value: place.value }
}
