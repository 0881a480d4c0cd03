import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { waitlistRoutes } from '../../booking/waitlist/routes.ts'
import type { Params } from '../../pages/page.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { AnswerText, Facts } from './facts.tsx'

/** Somebody who waits, and what they answered. The address names the event type, so that both are asked for at once. */
export async function showEntry(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, member, zone } = request
  const { locale } = page
  const own = textsOf(locale, bookingFormTexts)
  const texts = textsOf(locale, bookingsTexts)
  const named = page.url.searchParams.get('type')
  const [entry, known] = await Promise.all([
    need(request, waitlistRoutes.getWaitlistEntry, { params: { id } }),
    named === null ? null : loadEventType(request, named),
  ])
  const isKnown = known?.id === entry.event_type_id
  const eventType = isKnown ? known : await loadEventType(request, entry.event_type_id)
  const moment = (at: string) => ownShortMomentText(locale, Date.parse(at), zone)
  const status = {
    waiting: own.statusWaiting,
    promoted: own.statusPromoted,
    expired: own.statusExpired,
    cancelled: own.statusCancelled,
  }[entry.status]
  const isWaiting = entry.status === 'waiting'
  return shell({
    request,
    title: entry.invitee_name,
    lead: eventType?.title,
    back: { to: '/console/bookings?view=waitlist', text: texts.waitlist },
    actions: <span class={isWaiting ? 'badge warn' : 'badge'}>{status}</span>,
    children: (
      <div class="main-and-aside">
        <section class="panel" aria-label={texts.what}>
          <Facts
            facts={[
              [own.waitsFor, entry.start_time === null ? texts.anyTime : moment(entry.start_time)],
              isWaiting && [texts.waitlist, fill(texts.position, { n: entry.position })],
              isWaiting && [own.waitsUntil, moment(entry.expires_at)],
              [
                texts.email,
                <a key="email" href={`mailto:${encodeURIComponent(entry.invitee_email)}`}>
                  <bdi>{entry.invitee_email}</bdi>
                </a>,
              ],
              ...Object.entries(entry.answers).map(([key, value]) => {
                const label = eventType?.questions.find((question) => question.key === key)?.label
                return [label ?? key, <AnswerText key={key} locale={locale} value={value} />] as const
              }),
              entry.notes !== null && [
                texts.notes,
                <span key="notes" class="pre" dir="auto">
                  {entry.notes}
                </span>,
              ],
              entry.promoted_booking_id !== null && [
                own.bookedAs,
                <a key="booking" href={`/console/bookings/${entry.promoted_booking_id}`}>
                  {own.openBooking}
                </a>,
              ],
              [texts.bookingId, <code key="id">{entry.id}</code>],
            ]}
          />
        </section>
        {isWaiting && isRolePermitted(member.role, 'book') && (
          <Form request={request} action={`/console/bookings/waitlist/${entry.id}/leave`} class="panel">
            <FormEnd request={request} text={texts.removeFromWaitlist} tone="danger" />
          </Form>
        )}
      </div>
    ),
  })
}

/** Null where it was deleted since. */
async function loadEventType(request: MemberRequest, id: string): Promise<EventType | null> {
  const asked = await ask(request, eventTypeRoutes.getEventType, { params: { id } })
  return asked.ok ? asked.body : null
}
