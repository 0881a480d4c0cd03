import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import type { Params } from '../../pages/page.ts'
import { placeName } from '../../pages/place-name.ts'
import { seeOther } from '../../pages/respond.ts'
import { typedPhone } from '../../pages/typed-phone.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { ask, need } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { guestLines, guestsIn } from './guest-lines.ts'
import { NotifyField, notifyIn } from './notify-field.tsx'

/** The fields of the form by those of the endpoint. */
const FIELDS = {
  invitee_name: 'name',
  invitee_email: 'email',
  invitee_phone: 'phone',
  notes: 'notes',
  guests: 'guests',
  place_id: 'place',
  location: 'location',
  custom_meeting_url: 'link',
} as const
type Field = (typeof FIELDS)[keyof typeof FIELDS]
type Typed = Readonly<Record<Field, string>>

export async function showEdit(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'book')) return forbiddenPage(request)
  const booking = await need(request, bookingRoutes.getBooking, { params: { id } })
  const saved = savedOf(booking)
  const places = await placesOf(request, booking.event_type_id)
  const shown = { saved, typed: saved, name: booking.invitee_name, places }
  return editPage(request, id, shown, NO_TROUBLE, 200)
}

/** The places to choose from; none if the event type was deleted. */
async function placesOf(request: MemberRequest, id: string): Promise<EventType['places']> {
  const asked = await ask(request, eventTypeRoutes.getEventType, { params: { id } })
  return asked.ok ? asked.body.places : []
}

function savedOf(booking: BookingDetail): Typed {
  return {
    name: booking.invitee_name,
    email: booking.invitee_email ?? '',
    phone: booking.invitee_phone ?? '',
    notes: booking.notes ?? '',
    guests: guestLines(booking.guests),
    place: booking.place?.id ?? '',
    location: booking.location ?? '',
    link: booking.conferencing_url ?? '',
  }
}

type Shown = {
  readonly saved: Typed
  readonly typed: Typed
  readonly name: string
  readonly places: EventType['places']
}

function editPage(
  request: MemberRequest,
  id: string,
  { saved, typed, name, places }: Shown,
  trouble: Trouble,
  status: number,
): Response {
  const { locale } = request.page
  const texts = textsOf(locale, bookingChangeTexts)
  const own = textsOf(locale, bookingsTexts)
  const field = fieldsFor({ locale, trouble }, typed)
  return shell({
    request,
    title: texts.editTitle,
    back: { to: `/console/bookings/${id}`, text: name },
    status,
    children: (
      <Form
        request={request}
        action={`/console/bookings/${id}/edit`}
        hidden={Object.fromEntries(Object.entries(saved).map(([one, value]) => [`was_${one}`, value]))}
        trouble={trouble}
        class="panel"
      >
        <div class="pair">
          {field.text('name', own.name)}
          {field.text('email', own.email, {
            inputmode: 'email',
            hint: texts.emailHint,
            isOptional: saved.email === '',
          })}
          {field.text('phone', texts.phone, { inputmode: 'tel', hint: texts.phoneHint, isOptional: true })}
          {places.length > 0 && field.select('place', own.where, placeOptions(locale, places, typed.place))}
          {field.text('location', texts.location, { isOptional: true })}
        </div>
        {field.text('link', texts.link, { inputmode: 'url', hint: texts.linkHint, isOptional: true })}
        {field.text('guests', texts.guests, { rows: 3, hint: texts.guestsHint, isOptional: true })}
        {field.text('notes', own.notes, { rows: 3, isOptional: true })}
        <NotifyField request={request} isSent={trouble !== NO_TROUBLE} />
        <FormEnd request={request} />
      </Form>
    ),
  })
}

/** Its own place may be offered no longer. */
function placeOptions(locale: Locale, places: EventType['places'], own: string) {
  const options = places.map((one) => ({ value: one.id, text: placeName(locale.texts, one) }))
  return options.some(({ value }) => value === own) ? options : [{ value: own, text: own }, ...options]
}

export async function editFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const sent = (before: string) =>
    Object.fromEntries(
      Object.values(FIELDS).map((name) => [name, form.get(before + name) ?? '']),
    ) as unknown as Typed
  const [saved, typed] = [sent('was_'), sent('')]
  const body = bodyOf(typed)
  // A colleague may have changed the others since.
  const changed = Object.entries(FIELDS).filter(([, name]) => typed[name] !== saved[name])
  const asked = await ask(request, bookingRoutes.updateBooking, {
    params: { id },
    body: {
      ...Object.fromEntries(changed.map(([field]) => [field, body[field as keyof typeof body]])),
      ...notifyIn(request),
    },
  })
  if (asked.ok) return seeOther(page, `/console/bookings/${id}?done=edited`)
  const trouble = troubleOf(page.locale, asked.refusal, {
    fields: FIELDS,
    at: { too_many_guests: 'guests' },
  })
  const booking = await need(request, bookingRoutes.getBooking, { params: { id } })
  const shown = { saved, typed, name: saved.name, places: await placesOf(request, booking.event_type_id) }
  return editPage(request, id, shown, trouble, formStatus(asked.refusal))
}

/** As the endpoint takes it. */
function bodyOf(typed: Typed) {
  return {
    invitee_name: typed.name,
    invitee_email: typed.email,
    invitee_phone: typedPhone(typed.phone) || null,
    notes: typed.notes || null,
    guests: guestsIn(typed.guests),
    ...(typed.place !== '' && { place_id: typed.place }),
    location: typed.location || null,
    custom_meeting_url: typed.link || null,
  }
}
