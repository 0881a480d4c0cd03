import { formStatus } from '../../http/form-status.ts'
import { bookingsTexts } from '../../i18n/console/bookings.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { lengthText } from '../../i18n/format.ts'
import { seeOther } from '../../pages/respond.ts'
import { bookingRoutes } from '../../resources/bookings/routes.ts'
import { eventTypeRoutes } from '../../resources/event-types/routes.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import { NO_TROUBLE, type Trouble, toldTrouble } from '../told.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { ZoneField } from '../views/zone-field.tsx'
import type { Visit } from '../visit.ts'
import { loadWeek, OpenTimes, type Week } from './open-times.tsx'

type Offered = { readonly id: string; readonly title: string; readonly duration_minutes: number }

/** Books for somebody who asked by other ways. */
export function showNewBooking(visit: Visit): Promise<Response> {
  return newBookingPage(visit, visit.page.url.searchParams.get('type'), NO_TROUBLE, 200)
}

async function newBookingPage(
  visit: Visit,
  type: string | null,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page } = visit
  const texts = textsOf(page.locale, bookingsTexts)
  const [{ data }, week] = await Promise.all([
    need<{ data: readonly Offered[] }>(visit, eventTypeRoutes, 'listEventTypes', {
      query: { active: 'true', limit: '100' },
    }),
    type === null ? null : loadWeek(visit, { eventTypeId: type, duration: null }),
  ])
  const chosen = data.find(({ id }) => id === type) ?? null
  return shell({
    visit,
    title: texts.bookFor,
    back: { to: '/console/bookings', text: texts.title },
    status,
    children:
      data.length === 0 ? (
        <p>{texts.noTypes}</p>
      ) : (
        <>
          <form method="get" action="/console/bookings/new" class="search panel" data-on-change>
            <SelectField
              locale={page.locale}
              name="type"
              label={texts.chooseType}
              value={chosen?.id ?? ''}
              options={data.map(({ id, title, duration_minutes }) => ({
                value: id,
                text: `${title} · ${lengthText(page.locale, duration_minutes)}`,
              }))}
            />
            <button type="submit" class="soft-button">
              {texts.showTimes}
            </button>
          </form>
          {chosen && week && <Details visit={visit} offered={chosen} week={week} trouble={trouble} />}
        </>
      ),
  })
}

type DetailsProps = {
  readonly visit: Visit
  readonly offered: Offered
  readonly week: Week
  readonly trouble: Trouble
}

function Details({ visit, offered, week, trouble }: DetailsProps) {
  const { page, form } = visit
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const shared = { locale, trouble }
  return (
    <Form
      visit={visit}
      action="/console/bookings/new"
      hidden={{ type: offered.id }}
      trouble={trouble}
      class="panel"
      once
    >
      <h2>{texts.chooseTime}</h2>
      <OpenTimes
        visit={visit}
        week={week}
        linkTo={(first) => `/console/bookings/new?type=${offered.id}&from=${first}`}
      />
      {week.slots.length > 0 && (
        <>
          <div class="pair">
            <TextField {...shared} name="name" label={texts.name} value={form.get('name') ?? ''} />
            <TextField
              {...shared}
              name="email"
              label={texts.email}
              value={form.get('email') ?? ''}
              inputmode="email"
            />
          </div>
          <ZoneField {...shared} name="zone" label={texts.theirZone} value={form.get('zone') ?? visit.zone} />
          <TextField
            {...shared}
            name="notes"
            label={texts.notes}
            value={form.get('notes') ?? ''}
            rows={3}
            isOptional
          />
          <FormEnd visit={visit} text={texts.book} />
        </>
      )}
    </Form>
  )
}

export async function createFromConsole(visit: Visit): Promise<Response> {
  const { form, page } = visit
  const texts = textsOf(page.locale, bookingsTexts)
  const type = form.get('type') ?? ''
  const start = form.get('start')
  if (!start) return newBookingPage(visit, type, { title: texts.needTime }, 422)
  const asked = await ask<{ readonly id: string }>(visit, bookingRoutes, 'createBooking', {
    body: {
      event_type_id: type,
      start_time: start,
      invitee_name: form.get('name') ?? '',
      invitee_email: form.get('email') ?? '',
      invitee_timezone: form.get('zone') ?? visit.zone,
      notes: orNull(form, 'notes') ?? undefined,
    },
  })
  if (asked.ok) return seeOther(page, `/console/bookings/${asked.body.id}?done=booked`)
  const fields = {
    invitee_name: 'name',
    invitee_email: 'email',
    invitee_timezone: 'zone',
    start_time: 'start',
  }
  return newBookingPage(
    visit,
    type,
    toldTrouble(page.locale, asked.refusal, { fields }),
    formStatus(asked.refusal),
  )
}
