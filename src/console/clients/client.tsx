import { clientRoutes } from '../../booking/bookings/clients/routes.ts'
import type { Client } from '../../booking/bookings/clients/schema.ts'
import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { Booking } from '../../booking/bookings/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { clientTexts } from '../../platform/i18n/console/clients.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { ownShortMomentText, ownSpanText, pluralText } from '../../platform/i18n/format.ts'
import { ask, need } from '../ask.ts'
import { StatusBadge } from '../bookings/status-badge.tsx'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { clientAddress } from './address.ts'

const LATEST = '10'

/** One client: what is known, notes, and the latest bookings. */
export function showClient(request: MemberRequest): Promise<Response> {
  return clientPage(request, NO_TROUBLE, 200)
}

export async function saveNotes(request: MemberRequest): Promise<Response> {
  const { page } = request
  const body = { notes: orNull(request.form, 'notes') }
  const asked = await ask(request, clientRoutes.updateClient, {
    params: { contact: contactIn(request) },
    body,
  })
  if (asked.ok) return seeOther(page, `${clientAddress(asked.body)}&done=saved`)
  return clientPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}

function contactIn({ page }: MemberRequest): string {
  return page.url.searchParams.get('contact') ?? ''
}

async function clientPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page, member, form } = request
  const { locale } = page
  const texts = textsOf(locale, clientTexts)
  const contact = contactIn(request)
  const [client, bookings] = await Promise.all([
    need(request, clientRoutes.getClient, { params: { contact } }),
    contact.includes('@') ? loadTheirs(request, contact) : [],
  ])
  const mayBook = isRolePermitted(member.role, 'book')
  const again = new URLSearchParams({
    name: client.name,
    ...(client.email !== null && { email: client.email }),
    ...(client.phone !== null && { phone: client.phone }),
  })
  const notes = form.get('notes') ?? client.notes ?? ''
  const field = fieldsFor({ locale, trouble }, { notes })
  return shell({
    request,
    title: client.name,
    lead: client.email ?? client.phone ?? '',
    back: { to: '/console/clients', text: texts.title },
    done: page.url.searchParams.has('done') ? textsOf(locale, shellTexts).saved : undefined,
    status,
    actions: mayBook && (
      <a class="button" href={`/console/bookings/new?${again}`}>
        {texts.bookAgain}
      </a>
    ),
    children: (
      <>
        <section class="panel" aria-label={texts.facts}>
          <Facts request={request} client={client} />
        </section>
        {mayBook && (
          <Form request={request} action={clientAddress(client)} trouble={trouble} class="panel">
            {field.text('notes', texts.notes, { hint: texts.notesHint, rows: 5, isOptional: true })}
            <FormEnd request={request} />
          </Form>
        )}
        <Theirs request={request} client={client} bookings={bookings} />
      </>
    ),
  })
}

async function loadTheirs(request: MemberRequest, email: string): Promise<readonly Booking[]> {
  const query = { invitee_email: email, limit: LATEST }
  return (await need(request, bookingRoutes.listBookings, { query })).data
}

type Props = { readonly request: MemberRequest; readonly client: Client }

function Facts({ request: { page, zone }, client }: Props) {
  const { locale } = page
  const texts = textsOf(locale, clientTexts)
  const moment = (at: string | null) =>
    at === null ? texts.never : ownShortMomentText(locale, Date.parse(at), zone)
  const counts = [
    pluralText(locale, texts.bookings, client.bookings),
    pluralText(locale, texts.cancelled, client.cancelled),
    pluralText(locale, texts.noShows, client.no_shows),
  ]
  const facts: readonly (readonly [string, string])[] = [
    ...(client.email === null ? [] : [[texts.email, client.email] as const]),
    ...(client.phone === null ? [] : [[texts.phone, client.phone] as const]),
    [texts.theirs, counts.join(' · ')],
    [texts.last, moment(client.last)],
    [texts.next, moment(client.next)],
  ]
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type TheirsProps = Props & { readonly bookings: readonly Booking[] }

/** The bookings that were made last. */
function Theirs({ request, client, bookings }: TheirsProps) {
  const { page, zone } = request
  const texts = textsOf(page.locale, clientTexts)
  if (bookings.length === 0 || client.email === null) return null
  return (
    <section class="part">
      <h2>{texts.theirs}</h2>
      <ul class="rows">
        {bookings.map((booking) => (
          <li key={booking.id}>
            <a class="row-link" href={`/console/bookings/${booking.id}`}>
              {ownSpanText(page.locale, Date.parse(booking.start_time), Date.parse(booking.end_time), zone)}
            </a>
            <div class="row-end">
              <StatusBadge request={request} booking={booking} />
            </div>
          </li>
        ))}
      </ul>
      <p>
        <a href={`/console/bookings?q=${encodeURIComponent(client.email)}`}>{texts.allTheirs}</a>
      </p>
    </section>
  )
}
