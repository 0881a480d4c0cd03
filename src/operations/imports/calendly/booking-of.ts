import { MINUTE_MS } from '../../../core/time-units.ts'
import type { LeftOut } from '../../../platform/db/schema/import-jobs.ts'
import type { Json } from '../ask-source.ts'
import type { FoundBooking, Party } from '../source.ts'
import { emailOf, httpsOf, idIn, lineOf, linesOf, phoneOf, zoneOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'
import { type Location, placeOf } from './place-of.ts'
import type { User } from './user.ts'

export type Event = {
  readonly uri: string
  readonly name: string
  readonly status: string
  readonly start_time: string
  readonly end_time: string
  readonly event_type: string | null
  readonly location?: Location | null
  readonly invitees_counter?: { readonly limit?: number; readonly active?: number }
  readonly event_memberships?: readonly {
    readonly user?: string
    readonly user_email?: string
    readonly user_name?: string
  }[]
  readonly event_guests?: readonly { readonly email: string }[]
}

type Invitee = {
  readonly uri: string
  readonly name?: string
  readonly email?: string
  readonly status: string
  readonly timezone?: string | null
  readonly text_reminder_number?: string | null
  readonly questions_and_answers?: readonly { readonly question: string; readonly answer: string }[]
  readonly payment?: unknown
}

const MOST_GUESTS = 10

/** A meeting that is not cancelled; its invitees are asked for when it is made. */
export function bookingOf(
  event: Event,
  people: ReadonlyMap<string, User>,
  listInvitees: () => Promise<readonly Json[]>,
): FoundBooking | null {
  const id = idIn(event.uri)
  const [startTime, endTime] = [Date.parse(event.start_time), Date.parse(event.end_time)]
  if (id === null || event.status !== 'active' || Number.isNaN(startTime) || Number.isNaN(endTime))
    return null
  const what = `${lineOf(event.name, 100) ?? 'Meeting'}, ${new Date(startTime).toISOString()}`
  const isShared = (event.invitees_counter?.limit ?? 1) > 1
  const meeting = {
    startTime,
    durationMinutes: Math.round((endTime - startTime) / MINUTE_MS),
    isPending: false,
    locale: null,
    notes: null,
    attendees: [],
    place: event.location ? placeOf(event.location) : null,
    meetingUrl: httpsOf(event.location?.join_url),
  }

  async function parties(): Promise<{ parties: readonly Party[]; leftOut: readonly LeftOut[] }> {
    const invitees = (await listInvitees()) as readonly unknown[] as readonly Invitee[]
    const lost: LeftOut[] = []
    const found = invitees
      .filter(({ status }) => status === 'active')
      .flatMap((one, at): Party[] => {
        const email = emailOf(one.email)
        if (email === null) {
          lost.push(leftOut(what, 'no_invitee'))
          return []
        }
        if (one.payment) lost.push(leftOut({ part: 'payment', of: what }, 'paid'))
        const called = event.location?.type === 'outbound_call' ? phoneOf(event.location.location) : null
        const booking = {
          ...meeting,
          name: lineOf(one.name, 255) ?? email,
          email,
          timezone: zoneOf(one.timezone),
          phone: phoneOf(one.text_reminder_number) ?? called,
          guests: at === 0 ? guestsOf(event, email) : [],
          answers: (one.questions_and_answers ?? []).flatMap(({ question, answer }) => {
            const said = linesOf(answer, 5000)
            return said === null ? [] : [{ question: lineOf(question, 255) ?? 'Question', answer: said }]
          }),
        }
        return [{ id: isShared ? (idIn(one.uri) ?? String(at)) : null, booking }]
      })
    if (found.length === 0 && lost.length === 0) lost.push(leftOut(what, 'no_invitee'))
    return { parties: isShared ? found : found.slice(0, 1), leftOut: lost }
  }

  return {
    type: 'booking',
    id,
    what,
    eventTypeId: idIn(event.event_type) ?? '',
    hosts: (event.event_memberships ?? []).map(({ user, user_email, user_name }) => {
      const known = people.get(String(user))
      return { email: emailOf(user_email) ?? known?.email ?? null, name: user_name ?? known?.name ?? '' }
    }),
    isShared,
    parties,
  }
}

function guestsOf({ event_guests: guests = [] }: Event, inviteeEmail: string) {
  const emails = guests.flatMap(({ email }) => emailOf(email) ?? [])
  const others = new Map(emails.map((email) => [email.toLowerCase(), email]))
  others.delete(inviteeEmail.toLowerCase())
  return [...others.values()].slice(0, MOST_GUESTS).map((email) => ({ email }))
}
