import { getBookingForInvitee, type InviteeBooking } from '../booking/bookings/get-for-invitee.ts'
import { bookingRoutes } from '../booking/bookings/routes.ts'
import { seenFor } from '../booking/slots/find-slots-for.ts'
import { isStartOffered } from '../booking/slots/judge-start.ts'
import { MINUTE_MS } from '../core/time-units.ts'
import { lengthsOf } from '../engine/schedule/slot-request.ts'
import { looseId } from '../platform/db/ids.ts'
import { type Refusal, Refused } from '../platform/http/errors.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { formatInstant } from '../platform/http/instants.ts'
import { isUsableZone } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { askOnce } from './ask.ts'
import { clocksOf, shortMomentOn } from './booking-times.ts'
import { type HostChoice, hostChoice } from './host-choice.ts'
import { linkTo } from './links.ts'
import { loadOpenTimes, type OpenTimes, parseTime } from './open-times.ts'
import type { Page, Params } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { isTimeTaken, shownRefusal } from './show-refusal.ts'
import { Chooser } from './views/chooser.tsx'
import type { Trouble } from './views/details-form.tsx'
import { MoveDocument } from './views/move-document.tsx'
import { MoveForm } from './views/move-form.tsx'
import { Problems } from './views/problems.tsx'

/** Choosing another time for a booking. Two database round trips. */
export async function showMove(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const found = await getBookingForInvitee(page.ctx, id, token)
  const start = parseTime(page.url.searchParams.get('time'))
  const choice = choiceOf(page, found, page.url.searchParams.get('member'))
  const asked = { found, token, choice, length: lengthIn(page.url.searchParams.get('duration'), found) }
  const isAsked = start !== null && found.actions.reschedule.allowed
  return isAsked ? confirm(page, asked, start, {}, 200) : choose(page, asked, 200)
}

/** The move that is asked for. */
type Asked = {
  readonly found: InviteeBooking
  readonly token: string
  readonly choice: HostChoice | null
  /** In minutes. */
  readonly length: number
}

/** The length that is asked for, else that of the booking. */
function lengthIn(text: string | null, found: InviteeBooking): number {
  return text !== null && /^\d{1,5}$/.test(text) && Number(text) > 0 ? Number(text) : minutesOf(found)
}

/** A chosen host stays unless another one is chosen; otherwise anyone takes it. */
function choiceOf(page: Page, { row, hostsToChoose: hosts }: InviteeBooking, member: string | null) {
  const isKept = row.hostChosen && hosts?.some(({ member_id }) => member_id === row.assignedHostId)
  const kept = isKept ? row.assignedHostId : null
  return hostChoice(page, { hosts, isAnyoneFine: kept === null, asked: member || kept })
}

async function choose(page: Page, asked: Asked, status: number): Promise<Response> {
  const { found, token, choice, length } = asked
  const { booking, row } = found
  const zone = zoneFor(page, found)
  const own = minutesOf(found)
  const isOtherLength = length !== own
  const memberId = choice?.chosen?.id ?? null
  const isOtherHost = memberId !== null && memberId !== row.assignedHostId
  let offered: readonly number[] = []
  const moved: Parameters<typeof timesFor>[1]['moved'] = {
    start: isOtherHost || isOtherLength ? null : row.startTime,
    bookingId: row.id,
    withoutIt: (schedule) => {
      offered = lengthsOf(schedule.eventType)
      return seenFor(page.ctx, { booking: row, memberId, isTooLate: false }, schedule)
    },
  }
  const times = await timesFor(page, {
    eventTypeId: booking.event_type_id,
    ...(isOtherLength && { duration: length }),
    zone,
    now: found.now,
    moved,
  })
  if (times === null && isOtherLength) return choose(page, { ...asked, length: own }, status)
  const canMove = times !== null && found.actions.reschedule.allowed
  const back = linkTo(page.url, { time: null, date: null, month: null, token }, `/bookings/${booking.id}`)
  return html(
    page,
    <MoveDocument page={page} found={found} zone={zone}>
      {canMove ? (
        <Chooser
          page={page}
          times={withoutFull(times)}
          choice={choice}
          // The booking's own length stays a choice when it is no longer offered.
          options={offered.includes(own) ? offered : [own, ...offered]}
          duration={length}
        />
      ) : (
        <div class="pane">
          <Problems page={page} title={whyNot(page, found)}>
            <p>
              <a href={back}>{page.locale.texts.yourBooking}</a>
            </p>
          </Problems>
        </div>
      )}
    </MoveDocument>,
    { isPrivate: true, status },
  )
}

/** Why it can be moved to no time at all. */
function whyNot({ locale: { texts } }: Page, { booking, isTooLate, organization }: InviteeBooking): string {
  if (booking.status === 'cancelled') return texts.cancelled
  return isTooLate.reschedule ? fill(texts.tooLateToMove, { org: organization.name }) : texts.cannotMove
}

function minutesOf({ booking }: InviteeBooking): number {
  return (Date.parse(booking.end_time) - Date.parse(booking.start_time)) / MINUTE_MS
}

/** Null when the event type is no longer offered, or not with this length. */
async function timesFor(page: Page, wanted: Parameters<typeof loadOpenTimes>[1]): Promise<OpenTimes | null> {
  try {
    return await loadOpenTimes(page, wanted)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

/** The waitlist is not for moving a booking. */
function withoutFull(times: OpenTimes): OpenTimes {
  const open = [...times.days].map(([day, slots]) => [day, slots.filter((slot) => !slot.isFull)] as const)
  return { ...times, days: new Map(open.filter(([, slots]) => slots.length > 0)) }
}

function confirm(page: Page, asked: Asked, start: number | null, trouble: Trouble, status: number): Response {
  const { found } = asked
  const zone = zoneFor(page, found)
  return html(
    page,
    <MoveDocument page={page} found={found} zone={zone}>
      <MoveForm page={page} {...asked} start={start} trouble={trouble} zone={zone} />
    </MoveDocument>,
    { isPrivate: true, status },
  )
}

export async function moveBooking(page: Page, { id = '' }: Params): Promise<Response> {
  const form = await readForm(page)
  const token = form.get('token') ?? ''
  const found = await getBookingForInvitee(page.ctx, id, token)
  const start = parseTime(form.get('new_start_time') ?? null)
  const member = form.get('member') || null
  const length = lengthIn(form.get('duration') ?? null, found)
  const move = { found, token, choice: choiceOf(page, found, member), length }
  const asked = await askOnce(page.ctx, form.get('key') || looseId(), bookingRoutes.rescheduleBooking, {
    params: { id: found.booking.id },
    query: { token },
    body: {
      new_start_time: start === null ? '' : formatInstant(start),
      ...(member && { member_id: member }),
      ...(length !== minutesOf(found) && { duration: length }),
    },
  })
  if (asked.ok) return seeOther(page, `/bookings/${found.booking.id}?token=${encodeURIComponent(token)}`)
  const status = formStatus(asked.refusal)
  // It was cancelled in another tab, or the page lay there until it was too late.
  if (!found.actions.reschedule.allowed) return choose(page, move, status)
  const told = await troubleOf(page, move, asked.refusal, start)
  return confirm(page, move, told.isTimeGone || told.asksHost ? null : start, told, status)
}

/** A time that cannot be had was taken, or is not offered: that is another answer. */
async function troubleOf(
  page: Page,
  { found, choice, length }: Asked,
  refusal: Refusal,
  start: number | null,
) {
  const zone = zoneFor(page, found)
  const told = shownRefusal(page, refusal, { start, zone, name: '', email: '' })
  // This form has no field for attendees.
  if (told.fields?.guests) return { title: told.fields.guests, isTimeGone: false }
  if (!isTimeTaken(refusal) || start === null) return told
  const memberId = choice?.chosen?.id ?? null
  const asked = { eventTypeId: found.booking.event_type_id, duration: length, start, memberId }
  if (await isStartOffered(page.ctx, asked)) return told
  const time = shortMomentOn(page, start, zone)
  return { ...told, title: fill(page.locale.texts.noLongerOffered, { time }) }
}

function zoneFor(page: Page, found: InviteeBooking): string {
  return [page.url.searchParams.get('tz')].find(isUsableZone) ?? clocksOf(page, found).zone
}
