import { meetingOf } from '../../booking/bookings/meeting-of.ts'
import { calendarPlace } from '../../booking/places/place-kinds.ts'
import { uidOf } from '../../engine/schedule/own-uids.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { takeTime } from '../../platform/db/deadline.ts'
import { Streamed } from '../../platform/http/answer.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { escapeText, joinLines } from '../../platform/icalendar/content-lines.ts'
import { CALENDAR_HEAD, eventLines } from '../../platform/icalendar/event-lines.ts'
import { selectNameOf, selectUpcoming, UPCOMING_STATUSES, type Upcoming } from './queries.ts'

export const CALENDAR = 'text/calendar'

/** How many bookings are read at once. */
const A_PAGE = 200

/** All upcoming bookings as one calendar file, read page by page while somebody takes it. It has no tokens and no answers. */
export async function exportIcs({ env, caller, now }: Context<TenantCaller>): Promise<WholeAnswer> {
  const { organizationId, isTest } = caller
  if (isTest) throw refuse('export_is_live')
  takeTime(env)
  const db = openDb(env, 'decide')
  const [organization] = await selectNameOf(db, organizationId)
  if (!organization) throw notFound('organization')
  const name = escapeText(organization.name)
  const encoder = new TextEncoder()
  const statuses = [...UPCOMING_STATUSES]
  let after: Pick<Upcoming, 'startTime' | 'id'> | null = null
  let lines = [...CALENDAR_HEAD, `NAME:${name}`, `X-WR-CALNAME:${name}`]
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // A page without bookings would be an empty line, which no calendar file may have.
        do {
          const [status] = statuses
          const page = status ? await selectUpcoming(db, { organizationId, status, now, after }, A_PAGE) : []
          lines.push(...page.flatMap((booking) => eventLines(eventOf(booking), stateOf(booking), [])))
          after = page.at(-1) ?? null
          // What has fewer is the last page of its status.
          if (page.length < A_PAGE) {
            statuses.shift()
            after = null
          }
        } while (lines.length === 0 && statuses.length > 0)
        const isLast = statuses.length === 0
        controller.enqueue(encoder.encode(joinLines(isLast ? [...lines, 'END:VCALENDAR'] : lines)))
        lines = []
        if (isLast) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new WholeAnswer({ status: 200, body: new Streamed(stream, CALENDAR) }, false)
}

/** Requests and unpaid bookings may still end. */
function stateOf({ status }: Upcoming): 'CONFIRMED' | 'TENTATIVE' {
  return status === 'confirmed' || status === 'rescheduled' ? 'CONFIRMED' : 'TENTATIVE'
}

function eventOf(booking: Upcoming) {
  const people = [...booking.attendees, ...(booking.guests ?? [])]
    .filter(({ email }) => email !== '')
    .map(({ name, email }) => (name ? `${name} (${email})` : email))
  return {
    // The same UID as in emails, so that a program which reads both shows one event.
    uid: uidOf(booking.id),
    sequence: booking.revision - 1,
    stamp: booking.updatedAt,
    start: booking.startTime,
    end: booking.endTime,
    summary: meetingOf(booking.title, booking.inviteeName),
    description: [...people, ...(booking.notes === null ? [] : [`Notes: ${booking.notes}`])].join('\n'),
    location: booking.location ?? calendarPlace(booking.place),
    url: booking.conferencingUrl,
  }
}
