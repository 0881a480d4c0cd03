import { withBooking } from '../../engine/schedule/apply-booking.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { movedBy } from '../../engine/schedule/version.ts'
import { decideAfresh } from '../../engine/turn/decide-afresh.ts'
import { hostsToSkip, refuseOpen } from '../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import type { Env } from '../../env.ts'
import { createdPayment, linkStoredResponse } from '../../money/payments/new-payment.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { type AnonymousCaller, anonymousCallerOnce, isSilent } from '../anonymous-callers/anonymous-caller.ts'
import {
  type BookingCounts,
  bookingCounts,
  countAnonymousBooking,
  marksOf,
  refuseAddress,
  refuseToBook,
} from '../anonymous-callers/book-anonymously.ts'
import { type Proof, proveAddress } from '../anonymous-callers/codes/prove-address.ts'
import { placeOf } from '../places/choose-place.ts'
import { sealAnswers } from '../questions/take-answers.ts'
import type { CreateBooking } from './commands.ts'
import { decideBooking } from './decide-booking.ts'
import { inviteeToken } from './invitee-token.ts'
import { inviteeOf, newBooking } from './new-booking.ts'
import { prepareBooking } from './prepare-booking.ts'
import { presentTo, sealPhone } from './present.ts'
import { selectAtStart } from './queries.ts'
import { withoutFollowUp } from './reminders/plan-reminders.ts'
import type { CreatedBooking } from './schema.ts'

type Counts = ReturnType<typeof bookingCounts>

/** Books an open start. */
export function createBooking(command: CreateBooking): Verb<Counts, CreatedBooking> {
  const { eventTypeId, claim, now, isDry, input } = command
  const calling = anonymousCallerOnce(command)
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: input.start_time,
    reachesBack: command.setAside?.includes('notice') ?? false,
    ...(!isSilent(command) && input.invitee_email !== '' && { invitee: { email: input.invitee_email } }),
    // Every check of a code counts as an attempt, and memory counts nobody's bookings.
    canRecall: ({ eventType }) =>
      eventType.inviteeLimit === null && (command.tenant !== null || !eventType.verifyEmail),
    servesFirst: true,
    isRacing: true,
    asks: async ({ env, db }) => bookingCounts(db, eventTypeId, await calling(env), now),
    ...(command.isProven && {
      asksOfRefusal: ({ db }) =>
        selectAtStart(db, { eventTypeId, startTime: input.start_time }, input.invitee_email),
    }),
    decide: (turn, state) => decide(turn, state, command, calling),
  }
}

async function decide(
  turn: Turn,
  state: State<Counts>,
  command: CreateBooking,
  calling: (env: Env) => Promise<AnonymousCaller | null>,
): Promise<Decided<CreatedBooking>> {
  const { env, db, arrivedAt } = turn
  const { now, lost, rows } = state
  const found = { schedule: state.schedule, counts: rows?.[0]?.[0] }
  // Most callers who lose a race for a start are refused before anything is computed about them.
  const judged = rows === null ? null : await calling(env)
  const proof = judged && (await judge(turn, judged, found, command, now))
  const evenIfOpen = refuseAddress(found, now)
  const decision = await decideAfresh(turn, state.schedule, arrivedAt, (schedule) =>
    decideBooking(schedule, { ...command, now }, hostsToSkip(lost), proof?.refusal ?? null, evenIfOpen),
  )
  if ('refusal' in decision) return decision

  const { schedule, placement } = decision
  const anonymous = await calling(env)
  const { eventType } = schedule
  const answers = await sealAnswers(env, eventType.questions, command.input.answers ?? {})
  const phone = await sealPhone(env, command.input.invitee_phone)
  const place = placeOf(eventType, command.input)
  const booked = newBooking(
    eventType,
    inviteeOf(command.input, schedule.organization.locale, { answers, phone, place }),
    placement,
    anonymous !== null,
    now,
  )
  const chosen = { hostChosen: command.input.member_id != null, overridden: decision.overridden ?? null }
  const quiet = withoutFollowUp(booked, command.isQuiet)
  const row = { ...booked, ...marksOf(anonymous), ...chosen, ...quiet }
  const taken = refuseOpen(schedule, placement, { lost, seats: row.attendees.length, now })
  if (taken) return { refusal: taken }
  const prepared = prepareBooking(db, schedule, placement, row, command, now)
  const payment = await createdPayment(env, row, turn.isDry ? schedule.organization : null)
  const cancel_token = await inviteeToken(env, row)
  return {
    status: 201,
    body: {
      ...presentTo(command.origin, row),
      ...payment,
      invitee_phone: command.input.invitee_phone ?? null,
      sms_consent: row.smsConsent,
      cancel_token,
    },
    decidedOn: schedule,
    statements: [
      ...(proof?.statements ?? []),
      ...countAnonymousBooking(db, schedule, anonymous, row, now),
      ...prepared.statements,
      ...linkStoredResponse(db, row, command.claim),
    ],
    messages: [{ type: 'event', eventId: prepared.eventId }],
    apply: (known: Schedule) => withBooking(known, row, placement, prepared.waitsUntil),
    // A booking that waits moves the version on once more.
    ...(prepared.waitsUntil === null && { moves: movedBy(schedule, row, placement) }),
  }
}

type Found = {
  readonly schedule: Schedule | null
  /** Undefined if memory knew the schedule; then only the commit checks it. */
  readonly counts: BookingCounts | undefined
}

/** Whether the network of a caller without a key has reached a limit, and whether the address is proven. */
async function judge(
  turn: Turn,
  anonymous: AnonymousCaller,
  { schedule, counts }: Found,
  { input, now: realNow }: CreateBooking,
  now: PresentMs,
): Promise<Proof | null> {
  if (!schedule) return null
  const refusal = counts ? refuseToBook(schedule, anonymous, counts, now, realNow) : null
  return refusal ? { refusal, statements: [] } : proveAddress(turn, schedule.eventType, input, now)
}
