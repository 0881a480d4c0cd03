import { withBooking } from '../../engine/schedule/apply-booking.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { isGroup } from '../../engine/schedule/slot-request.ts'
import { decideAllAfresh } from '../../engine/turn/decide-afresh.ts'
import { hostsToSkip } from '../../engine/turn/races.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import type { Env } from '../../env.ts'
import { newId } from '../../platform/db/ids.ts'
import { because, missing, type Refusal } from '../../platform/http/errors.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { type AnonymousCaller, anonymousCallerOnce, isSilent } from '../anonymous-callers/anonymous-caller.ts'
import {
  bookingCounts,
  countAnonymousBooking,
  marksOf,
  refuseAddress,
  refuseToBook,
} from '../anonymous-callers/book-anonymously.ts'
import { type Proof, proveAddress } from '../anonymous-callers/codes/prove-address.ts'
import { refuseBooking, refuseCaller, refuseFullMonth, wantedOf } from '../bookings/decide-booking.ts'
import { inviteeToken } from '../bookings/invitee-token.ts'
import { inviteeOf, newBooking } from '../bookings/new-booking.ts'
import { presentTo, sealPhone } from '../bookings/present.ts'
import { withoutFollowUp } from '../bookings/reminders/plan-reminders.ts'
import { placeOf } from '../places/choose-place.ts'
import { sealAnswers } from '../questions/take-answers.ts'
import type { CreateSeries } from './commands.ts'
import { decideSeries, type Placed, type SeriesDecision } from './decide-series.ts'
import { findTaken } from './find-taken.ts'
import { prepareSeries } from './prepare-series.ts'
import type { CreatedSeries } from './schema.ts'
import { seriesTokenFor } from './series-token.ts'
import { spanOf, startsOf } from './starts-of.ts'

type Counts = ReturnType<typeof bookingCounts>

/** A stored response is sealed text in a row of at most two million bytes. */
const MOST_CHARACTERS = 600_000

/** Books several starts, all or none; with `skip` those that are open. */
export function createSeries(command: CreateSeries): Verb<Counts, CreatedSeries> {
  const { eventTypeId, claim, now, isDry, input } = command
  const calling = anonymousCallerOnce(command)
  const { first, last } = spanOf(input)
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: first,
    reachesTo: last,
    ...(!isSilent(command) && input.invitee_email !== '' && { invitee: { email: input.invitee_email } }),
    servesFirst: true,
    isRacing: true,
    asks: async ({ env, db }) => bookingCounts(db, eventTypeId, await calling(env), now),
    decide: (turn, state) => decide(turn, state, command, calling),
  }
}

async function decide(
  turn: Turn,
  { schedule: loaded, rows, now, lost }: State<Counts>,
  command: CreateSeries,
  calling: (env: Env) => Promise<AnonymousCaller | null>,
): Promise<Decided<CreatedSeries>> {
  const { env, db, arrivedAt } = turn
  const { tenant, input } = command
  const noEntry = refuseCaller(loaded, tenant, input.answers ?? {})
  if (noEntry || !loaded) return { refusal: noEntry ?? missing('event type') }
  const durationMinutes = input.duration ?? loaded.eventType.durationMinutes
  const starts = startsOf(input, loaded.eventType.timezone, durationMinutes, now)
  const anonymous = await calling(env)
  const counts = rows?.[0]?.[0]
  const judged =
    anonymous && counts && refuseToBook(loaded, anonymous, counts, now, command.now, starts.length)
  const refusal =
    refuseLength(loaded, command, starts.length) ??
    refuseFullMonth(loaded) ??
    (input.on_conflict === 'fail' ? refuseQuota(loaded, starts.length) : null) ??
    judged ??
    refusePaid(loaded) ??
    refuseBooking(loaded, command)
  if (refusal) return { refusal }
  const proof: Proof | null = anonymous && (await proveAddress(turn, loaded.eventType, input, now))
  if (proof?.refusal) return { refusal: proof.refusal }

  const seriesId = newId(command.eventTypeId)
  const newRow = await rowMaker(env, loaded, command, seriesId, anonymous, now)
  const wanted = wantedOf(loaded, { ...command, now }, hostsToSkip(lost), null)
  const isKeyed = tenant !== null
  const decideOn = (schedule: Schedule, owned: ReadonlySet<number>) =>
    decideAllAfresh<SeriesDecision & { readonly on: Schedule }>(turn, schedule, arrivedAt, {
      decide: (known) => ({ ...decideSeries(known!, starts, wanted, { owned, newRow }), on: known! }),
      placementsOf: ({ placed }) => placed.map(({ placement }) => placement),
    })
  const isAsked = isGroup(loaded.eventType) && wanted.emails.length > 0
  let taken = isAsked ? await findTaken(db, loaded, starts, wanted.emails, input.invitee_email, now) : null
  let decision = await decideOn(taken?.schedule ?? loaded, isKeyed && taken ? taken.owned : new Set())
  if (decision.conflicts.length > 0 && isKeyed && taken === null && wanted.emails.length > 0) {
    taken = await findTaken(db, decision.on, starts, wanted.emails, input.invitee_email, now)
    if (taken.owned.size > 0) decision = await decideOn(taken.schedule, taken.owned)
  }
  const { placed, conflicts, on } = decision
  const room = refuseQuota(on, placed.length)
  if (room) return { refusal: room }
  if (placed.length === 0 || (input.on_conflict === 'fail' && conflicts.length > 0)) {
    return { refusal: because('series_not_open', { conflicts }) }
  }
  const crowded = refuseAddress({ schedule: on, counts }, now)
  if (crowded) return { refusal: crowded }

  const { organizationId, isTest } = on.eventType
  const eventTypeId = command.eventTypeId
  const series = { id: seriesId, organizationId, eventTypeId, isTest, skipped: conflicts, createdAt: now }
  const body = await presentCreated(env, series, placed, command)
  if (JSON.stringify(body).length > MOST_CHARACTERS) return { refusal: because('series_too_large') }
  const prepared = prepareSeries(db, series, placed, command, now)
  return {
    status: 201,
    body,
    decidedOn: on,
    statements: [
      ...(proof?.statements ?? []),
      ...countAnonymousBooking(db, on, anonymous, placed[0]!.row, now, placed.length),
      ...prepared.statements,
    ],
    messages: prepared.eventIds.map((eventId) => ({ type: 'event', eventId })),
    apply: (known: Schedule) =>
      placed.reduce(
        (after, { row, placement, waitsUntil }) => withBooking(after, row, placement, waitsUntil),
        known,
      ),
  }
}

/** Why a caller without a key cannot book so many starts. */
function refuseLength(
  { eventType: { seriesMax } }: Schedule,
  { tenant }: CreateSeries,
  count: number,
): Refusal | null {
  const most = seriesMax < 2 ? 0 : seriesMax
  return tenant === null && count > most ? because('series_limit', { most }) : null
}

/** Why the plan's month has no room for so many bookings. */
function refuseQuota(
  { eventType, organization, bookingsThisMonth }: Schedule,
  count: number,
): Refusal | null {
  const most = PLANS[organization.tier].bookingsPerMonth
  if (eventType.isTest || bookingsThisMonth + count <= most) return null
  return because('bookings_per_month', { most }, { limit: 'bookings_per_month' })
}

function refusePaid({ eventType }: Schedule): Refusal | null {
  return eventType.priceAmount === null ? null : because('series_is_paid')
}

/** Makes the rows of the series, which have all in common but their time. */
async function rowMaker(
  env: Env,
  { eventType, organization }: Schedule,
  { input, isQuiet }: CreateSeries,
  seriesId: string,
  anonymous: AnonymousCaller | null,
  now: State<Counts>['now'],
) {
  const invited = {
    place: placeOf(eventType, input),
    answers: await sealAnswers(env, eventType.questions, input.answers ?? {}),
    phone: await sealPhone(env, input.invitee_phone),
  }
  const invitee = inviteeOf(input, organization.locale, invited)
  const shared = { seriesId, hostChosen: input.member_id != null, ...marksOf(anonymous) }
  return (placement: Placement) => {
    const booked = newBooking(eventType, invitee, placement, anonymous !== null, now)
    return { ...booked, ...shared, ...withoutFollowUp(booked, isQuiet) }
  }
}

async function presentCreated(
  env: Env,
  { id, eventTypeId, skipped }: { id: string; eventTypeId: string; skipped: SeriesDecision['conflicts'] },
  placed: readonly Placed[],
  { input, origin }: CreateSeries,
): Promise<CreatedSeries> {
  const bookings = placed.map(async ({ row }) => ({
    ...presentTo(origin, row),
    payment: null,
    invitee_phone: input.invitee_phone ?? null,
    sms_consent: row.smsConsent,
    cancel_token: await inviteeToken(env, row),
  }))
  return {
    id,
    event_type_id: eventTypeId,
    bookings: await Promise.all(bookings),
    skipped: [...skipped] as CreatedSeries['skipped'],
    cancel_token: await seriesTokenFor(env, id),
  }
}
