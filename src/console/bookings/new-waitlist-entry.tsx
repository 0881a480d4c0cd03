import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { waitlistRoutes } from '../../booking/waitlist/routes.ts'
import { instantOf, parseDate, parseTimeOfDay, zoneTable } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ask } from '../ask.ts'
import { listAll } from '../list-all.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { GetForm } from '../views/get-form.tsx'
import { shell } from '../views/shell.tsx'
import { InviteeFields, inviteeTrouble, NOTHING_ASKED, readInvitee } from './invitee-fields.tsx'

export function showNewEntry(request: MemberRequest): Promise<Response> {
  return newEntryPage(request, request.page.url.searchParams.get('type'), NO_TROUBLE, 200)
}

async function loadWaitlists(request: MemberRequest): Promise<readonly EventType[]> {
  const active = await listAll(request, eventTypeRoutes.listEventTypes, { active: 'true' })
  return active.filter(({ waitlist_enabled }) => waitlist_enabled)
}

async function newEntryPage(
  request: MemberRequest,
  type: string | null,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page, form, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const { locale } = page
  const own = textsOf(locale, bookingFormTexts)
  const texts = textsOf(locale, bookingsTexts)
  const offered = await loadWaitlists(request)
  const chosen = offered.find(({ id }) => id === type) ?? offered[0]
  const shared = { locale, trouble }
  return shell({
    request,
    title: own.addToWaitlistTitle,
    lead: own.addToWaitlistLead,
    back: { to: '/console/bookings?view=waitlist', text: texts.waitlist },
    status,
    children: !chosen ? (
      <p class="empty">{own.noWaitlists}</p>
    ) : (
      <>
        {offered.length > 1 && (
          <GetForm action="/console/bookings/waitlist/new" class="search panel steps" sendsOnChange>
            <SelectField
              locale={locale}
              name="type"
              label={own.whichWaitlist}
              value={chosen.id}
              options={offered.map(({ id, title }) => ({ value: id, text: title }))}
            />
            <button type="submit" class="soft-button">
              {own.choose}
            </button>
          </GetForm>
        )}
        <Form
          request={request}
          action="/console/bookings/waitlist/new"
          hidden={{ type: chosen.id }}
          trouble={trouble}
          class="panel steps"
          once
        >
          <h2>
            <bdi>{chosen.title}</bdi>
          </h2>
          <div class="pair">
            <TextField
              {...shared}
              name="day"
              type="date"
              label={own.day}
              hint={own.anyTimeHint}
              value={form.get('day') ?? ''}
              isOptional
            />
            <TextField
              {...shared}
              name="time"
              type="time"
              label={own.time}
              hint={request.zone.replaceAll('_', ' ')}
              value={form.get('time') ?? ''}
              isOptional
            />
          </div>
          <InviteeFields request={request} offered={chosen} trouble={trouble} />
          <FormEnd request={request} text={own.join} />
        </Form>
      </>
    ),
  })
}

export async function joinFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const texts = textsOf(page.locale, bookingFormTexts)
  const type = form.get('type') ?? ''
  const start = startIn(request)
  if (start === undefined) return newEntryPage(request, type, { fields: { day: texts.needBoth } }, 422)
  const offered = (await loadWaitlists(request)).find(({ id }) => id === type) ?? NOTHING_ASKED
  const asked = await ask(request, waitlistRoutes.joinWaitlist, {
    body: { event_type_id: type, start_time: start, ...readInvitee(request, offered) },
  })
  if (asked.ok) return seeOther(page, '/console/bookings?view=waitlist&done=joined')
  const trouble = inviteeTrouble(request, asked.refusal, offered)
  return newEntryPage(request, type, trouble, formStatus(asked.refusal))
}

/** The start that is waited for, in the request's zone; null for any, undefined where only a half of it was typed. */
function startIn({ form, zone }: MemberRequest): string | null | undefined {
  const [day, time] = [form.get('day') ?? '', form.get('time') ?? '']
  if (day === '' && time === '') return null
  const [midnight, since] = [parseDate(day), parseTimeOfDay(time)]
  if (midnight === null || since === null) return undefined
  const table = zoneTable(zone, midnight - DAY_MS, midnight + 2 * DAY_MS)
  return new Date(instantOf(table, midnight + since)).toISOString()
}
