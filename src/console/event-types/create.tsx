import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { numberIn } from '../form.ts'
import { listAll } from '../list-all.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { hostOneself, slugOf } from '../start/set-up.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { CheckField, SelectField, TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { copyTimes, settingsOf } from './copy.ts'
import { loadEventType } from './load.ts'

const WORKDAYS = [1, 2, 3, 4, 5].map((day) => ({
  day_of_week: day,
  start_time: '09:00',
  end_time: '17:00',
}))

export function showNewEventType(request: MemberRequest): Promise<Response> {
  return newPage(request, NO_TROUBLE, 200)
}

/** Makes it with hours, so that it can be booked at once. */
export async function createFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const title = form.get('title') ?? ''
  const hours = form.get('hours') ?? ''
  const source = await sourceOf(request)
  const made = await ask(request, eventTypeRoutes.createEventType, {
    body: {
      ...(source && settingsOf(source)),
      title,
      slug: form.get('slug') || slugOf(title),
      duration_minutes: numberIn(form, 'duration_minutes'),
      booking_page_enabled: source?.booking_page_enabled ?? true,
      ...(hours !== '' && { schedule_id: hours }),
    },
  })
  if (!made.ok) {
    const at = { event_type_slug_taken: 'slug' }
    const trouble = troubleOf(page.locale, made.refusal, { at, fields: { schedule_id: 'hours' } })
    return newPage(request, trouble, formStatus(made.refusal))
  }
  const { id } = made.body
  if (source) {
    const missing = await copyTimes(request, source.id, id)
    return seeOther(page, `/console/event-types/${id}${missing ? `/${missing}` : '?done=created'}`)
  }
  const hosted = form.has('host') ? await hostOneself(request, id) : null
  // Without a default schedule it gets hours of its own.
  if (hours === '' && made.body.bookable.reasons.some(({ code }) => code === 'no_hours')) {
    const open = await ask(request, availabilityRoutes.putAvailabilityRules, {
      params: { id },
      body: { rules: WORKDAYS },
    })
    if (!open.ok) return seeOther(page, `/console/event-types/${id}/hours`)
  }
  if (hosted?.ok === false) return seeOther(page, `/console/event-types/${id}/hosts`)
  return seeOther(page, `/console/event-types/${id}?done=created`)
}

/** The event type that is duplicated, if one is. */
function sourceOf(request: MemberRequest): Promise<EventType> | null {
  const id = request.form.get('from') ?? request.page.url.searchParams.get('from')
  return id ? loadEventType(request, id) : null
}

async function newPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const [schedules, source] = await Promise.all([
    listAll(request, scheduleRoutes.listSchedules),
    sourceOf(request),
  ])
  const usual = schedules.find((one) => one.is_default && one.member_id === null)
  const typed = (name: string) => request.form.get(name) ?? ''
  const shared = { locale, trouble }
  return shell({
    request,
    title: texts.create,
    lead: source ? fill(texts.copyLead, { title: source.title }) : texts.createLead,
    back: { to: '/console/event-types', text: texts.back },
    status,
    children: (
      <Form
        request={request}
        action="/console/event-types/new"
        hidden={source ? { from: source.id } : {}}
        trouble={trouble}
        once
        class="panel steps"
      >
        <TextField
          {...shared}
          name="title"
          label={texts.eventTitle}
          hint={texts.titleHint}
          value={typed('title') || (source ? fill(texts.copyOf, { title: source.title }) : '')}
          isFocused
        />
        <div class="pair">
          <TextField
            {...shared}
            name="duration_minutes"
            inputmode="numeric"
            label={texts.duration}
            value={request.form.get('duration_minutes') ?? String(source?.duration_minutes ?? 30)}
          />
          {!source && (
            <SelectField
              {...shared}
              name="hours"
              label={texts.hoursFrom}
              value={typed('hours')}
              isOptional
              options={[
                {
                  value: '',
                  text: usual ? fill(texts.defaultHours, { name: usual.name }) : texts.standardHours,
                },
                ...schedules
                  .filter((one) => one.member_id === null && one !== usual)
                  .map(({ id, name }) => ({ value: id, text: name })),
              ]}
            />
          )}
        </div>
        <TextField
          {...shared}
          name="slug"
          label={texts.slug}
          hint={texts.slugHint}
          value={typed('slug')}
          before={`/book/${request.member.slug}/`}
          isOptional
        />
        {!source && (
          <CheckField
            {...shared}
            name="host"
            label={texts.hostIt}
            hint={texts.hostItHint}
            isChecked={request.form.has('host') || !request.form.has('title')}
          />
        )}
        <FormEnd request={request} text={texts.make} />
      </Form>
    ),
  })
}
