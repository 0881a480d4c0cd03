import { bookingRoutes } from '../../booking/bookings/routes.ts'
import type { BookingDetail } from '../../booking/bookings/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
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
  location: 'location',
  custom_meeting_url: 'link',
} as const
type Field = (typeof FIELDS)[keyof typeof FIELDS]
type Typed = Readonly<Record<Field, string>>

export async function showEdit(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'book')) return forbiddenPage(request)
  const booking = await need(request, bookingRoutes.getBooking, { params: { id } })
  const saved = savedOf(booking)
  return editPage(request, id, { saved, typed: saved, name: booking.invitee_name }, NO_TROUBLE, 200)
}

function savedOf(booking: BookingDetail): Typed {
  return {
    name: booking.invitee_name,
    email: booking.invitee_email,
    phone: booking.invitee_phone ?? '',
    notes: booking.notes ?? '',
    guests: guestLines(booking.guests),
    location: booking.location ?? '',
    link: booking.conferencing_url ?? '',
  }
}

type Shown = { readonly saved: Typed; readonly typed: Typed; readonly name: string }

function editPage(
  request: MemberRequest,
  id: string,
  { saved, typed, name }: Shown,
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
          {field.text('email', own.email, { inputmode: 'email', hint: texts.emailHint })}
          {field.text('phone', texts.phone, { inputmode: 'tel', hint: texts.phoneHint, isOptional: true })}
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
      ...Object.fromEntries(changed.map(([field]) => [field, body[field as keyof typeof FIELDS]])),
      ...notifyIn(request),
    },
  })
  if (asked.ok) return seeOther(page, `/console/bookings/${id}?done=edited`)
  const trouble = troubleOf(page.locale, asked.refusal, {
    fields: FIELDS,
    at: { too_many_guests: 'guests' },
  })
  return editPage(request, id, { saved, typed, name: saved.name }, trouble, formStatus(asked.refusal))
}

/** As the endpoint takes it: phone numbers without what people put between their digits. */
function bodyOf(typed: Typed) {
  return {
    invitee_name: typed.name,
    invitee_email: typed.email,
    invitee_phone: typed.phone.replace(/[\s()/-]/g, '') || null,
    notes: typed.notes || null,
    guests: guestsIn(typed.guests),
    location: typed.location || null,
    custom_meeting_url: typed.link || null,
  }
}
