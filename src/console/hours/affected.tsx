import { type AgendaBooking, bookingsById } from '../../booking/bookings/list/agenda.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { ownShortMomentText, pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { sharedEnv } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

/** So many bookings are linked to after something was closed. */
const MOST_LINKED = 20

type Affecting = { readonly affected_bookings: readonly string[] }

/** Where a form leads that closed something: the address says which bookings are in it. */
export function doneAt(
  path: `/console${string}`,
  done: string,
  { affected_bookings: affected }: Affecting,
): `/console${string}` {
  const booked = affected.length === 0 ? '' : `&n=${affected.length}&booked=${affected.slice(0, MOST_LINKED)}`
  return `${path}?done=${done}${booked}`
}

export function loadAffected(request: MemberRequest): Promise<readonly AgendaBooking[]> {
  return bookingsById(sharedEnv(request), request, affectedIn(request.page.url))
}

/** The bookings in what was just closed, as the address says. */
function affectedIn({ searchParams }: URL): string[] {
  const ids = (searchParams.get('booked') ?? '').split(',').filter((id) => /^[0-9a-f-]{36}$/.test(id))
  return ids.slice(0, MOST_LINKED)
}

type AffectedProps = { readonly request: MemberRequest; readonly bookings: readonly AgendaBooking[] }

export function Affected({ request, bookings }: AffectedProps) {
  if (bookings.length === 0) return null
  const { page } = request
  const texts = textsOf(page.locale, hoursTexts)
  const number = Math.max(bookings.length, Number(page.url.searchParams.get('n')) || 0)
  return (
    <Named
      request={request}
      label={texts.timeOff}
      text={pluralText(page.locale, texts.affected, number)}
      bookings={bookings}
    />
  )
}

/** The first of bookings that something concerns, before it is done. */
export function loadNamed(request: MemberRequest, ids: readonly string[]): Promise<readonly AgendaBooking[]> {
  return bookingsById(sharedEnv(request), request, ids.slice(0, MOST_LINKED))
}

type NamedProps = AffectedProps & { readonly label: string; readonly text: string }

export function Named({ request: { page, zone }, label, text, bookings }: NamedProps) {
  const texts = textsOf(page.locale, hoursTexts)
  return (
    <section class="band test-band" aria-label={label}>
      <p>{text}</p>
      <ul class="linked">
        {bookings.map(({ id, invitee_name: name, start_time }) => {
          const time = ownShortMomentText(page.locale, Date.parse(start_time), zone)
          return (
            <li key={id}>
              <a href={`/console/bookings/${id}`}>{fill(texts.affectedLink, { name, time })}</a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
