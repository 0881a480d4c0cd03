import { DAY_MS } from '../../core/time-units.ts'
import { priceShown } from '../../engine/schedule/price.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { isOffered, refuseDuration, slotRequest, withoutTaken } from '../../engine/schedule/slot-request.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { enqueueMailing } from '../../outbox/mail/enqueue-email.ts'
import { tokenFor } from '../../platform/auth/secret.ts'
import { newId } from '../../platform/db/ids.ts'
import { because, missing, type Refusal } from '../../platform/http/errors.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { type AnonymousCaller, anonymousCallerOnce, isSilent } from '../anonymous-callers/anonymous-caller.ts'
import { proveAddress } from '../anonymous-callers/codes/prove-address.ts'
import {
  countJoiner,
  type JoinCounts,
  joinCounts,
  refuseToJoin,
  refuseToWait,
} from '../anonymous-callers/join-anonymously.ts'
import { refuseCaller } from '../bookings/decide-booking.ts'
import { sealPhone } from '../bookings/present.ts'
import { placeOf, refusePlace } from '../places/choose-place.ts'
import { sealAnswers } from '../questions/take-answers.ts'
import type { JoinWaitlist } from './commands.ts'
import { presentEntry } from './present.ts'
import { insertEntry, type NewEntry, selectEmailFacts, selectWaitingFor } from './queries.ts'
import type { CreatedWaitlistEntry } from './schema.ts'

type Asked = readonly [ReturnType<typeof selectWaitingFor>, ...ReturnType<typeof joinCounts>]

/**
 * The turn prevents duplicates and orders the waitlist. The guard refuses event types being deleted and organizations being
 * suspended.
 */
export function joinWaitlist(command: JoinWaitlist): Verb<Asked, CreatedWaitlistEntry> {
  const { eventTypeId, input, claim, now, isDry } = command
  const start = input.start_time ?? null
  const calling = anonymousCallerOnce(command)
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: start ?? now,
    refusesOn: { ALREADY_WAITING: because('already_on_waitlist') },
    asks: async ({ env, db }) => [
      selectWaitingFor(db, eventTypeId, start),
      ...joinCounts(db, eventTypeId, await calling(env)),
    ],
    decide: (turn, state) => decide(turn, state, command, calling),
  }
}

async function decide(
  turn: Turn,
  { schedule, rows, now }: State<Asked>,
  command: JoinWaitlist,
  calling: (env: Env) => Promise<AnonymousCaller | null>,
): Promise<Decided<CreatedWaitlistEntry>> {
  const { env, db } = turn
  const [waiting, counted] = rows!
  const anonymous = await calling(env)
  const counts = counted?.[0] ?? null
  const overLimit = anonymous && schedule && counts && refuseToJoin(schedule, anonymous, counts, command.now)
  // Every check of a code counts as an attempt.
  const proof =
    anonymous && schedule && !overLimit
      ? await proveAddress(turn, schedule.eventType, command.input, now)
      : null
  const refusal = refuse(schedule, command, {
    waiting,
    counts,
    anonymous: overLimit ?? proof?.refusal ?? null,
    now,
  })
  if (refusal || !schedule) return { refusal: refusal ?? missing('event type') }

  const answers = await sealAnswers(env, schedule.eventType.questions, command.input.answers ?? {})
  const inviteePhone = await sealPhone(env, command.input.invitee_phone)
  const joined = newEntry(schedule, command, now)
  const row = { ...joined, answers, inviteePhone, addressMark: anonymous?.addressMark ?? null }
  const entry = presentEntry(row, waiting.length + 1)
  const posting = await enqueueMailing(env, db, row, {
    kind: 'waiting',
    subjectId: row.id,
    occasion: entry.position,
    onceKey: `${row.id}/waiting`,
    isOnce: true,
    to: [{ id: row.id, email: row.inviteeEmail }],
    write: async () => {
      const { waitlistEmail } = await import('./waitlist-emails.ts')
      const [facts] = await selectEmailFacts(db, row)
      if (!facts!.about.emailsInvitees) return null
      return waitlistEmail(env, {
        entry,
        durationMinutes: row.durationMinutes,
        place: row.meetsAt,
        ...facts!,
      })
    },
  })
  return {
    status: 201,
    body: {
      ...entry,
      invitee_phone: command.input.invitee_phone ?? null,
      cancel_token: await tokenFor(env.ENCRYPTION_KEY, row.id),
    },
    decidedOn: schedule,
    statements: [
      ...(proof?.statements ?? []),
      ...countJoiner(db, schedule, anonymous, row),
      insertEntry(db, row),
      recordActivity(db, row, command.origin, {
        action: 'waitlist.joined',
        resourceType: 'waitlist_entry',
        resourceId: row.id,
        changes: { status: row.status, start_time: entry.start_time },
      }),
      ...posting.statements,
    ],
    messages: posting.messages,
  }
}

type Found = {
  readonly waiting: readonly { readonly email: string }[]
  readonly counts: JoinCounts | null
  /** Why a caller without a key cannot join at all. */
  readonly anonymous: Refusal | null
  /** The event type's present. */
  readonly now: PresentMs
}

function refuse(
  schedule: Schedule | null,
  command: JoinWaitlist,
  { waiting, counts, anonymous, now }: Found,
): Refusal | null {
  const { tenant, input } = command
  const refusal = refuseCaller(schedule, tenant, input.answers ?? {})
  if (refusal || !schedule) return refusal
  const { eventType } = schedule
  if (anonymous) return anonymous
  if (!eventType.waitlistEnabled) return because('no_waitlist')
  const nowhere = refusePlace(eventType, input)
  if (nowhere) return nowhere
  const durationMinutes = input.duration ?? eventType.durationMinutes
  const badDuration = refuseDuration(eventType, durationMinutes)
  if (badDuration) return badDuration
  const start = input.start_time ?? null
  if (start !== null && !isEverOffered(schedule, start, durationMinutes, now)) {
    return because('never_offered')
  }
  // A full waitlist does not reveal who is on it.
  if (waiting.length >= eventType.waitlistMax) return because('waitlist_full')
  if (isSilent(command)) return null
  const address = input.invitee_email.toLowerCase()
  if (waiting.some(({ email }) => email.toLowerCase() === address)) return because('already_on_waitlist')
  return counts && refuseToWait(schedule, counts, now)
}

/** Whether the start could be open if nothing were taken. */
function isEverOffered(schedule: Schedule, start: number, durationMinutes: number, now: PresentMs): boolean {
  const { range } = schedule
  return isOffered(withoutTaken(slotRequest(schedule, { range, durationMinutes, now })), start)
}

function newEntry(
  { eventType, organization }: Schedule,
  { input, tenant }: JoinWaitlist,
  now: PresentMs,
): NewEntry {
  const start = input.start_time ?? null
  const patience = now + eventType.waitlistTtlDays * DAY_MS
  return {
    id: newId(eventType.id),
    organizationId: eventType.organizationId,
    eventTypeId: eventType.id,
    isTest: eventType.isTest,
    status: 'waiting',
    inviteeName: input.invitee_name,
    inviteeEmail: input.invitee_email,
    inviteeTimezone: input.invitee_timezone ?? 'UTC',
    zoneUnknown: input.invitee_timezone === undefined,
    inviteeLocale: spokenTag(input.locale, organization.locale),
    notes: input.notes ?? null,
    answers: null,
    meetsAt: placeOf(eventType, input),
    inviteePhone: null,
    smsConsent: input.sms_consent ?? tenant !== null,
    startTime: start,
    durationMinutes: input.duration ?? eventType.durationMinutes,
    expiresAt: start === null ? patience : Math.min(patience, start),
    addressMark: null,
    price: priceShown(eventType),
    promotedBookingId: null,
    promotedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}
