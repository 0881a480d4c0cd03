import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { holdRoutes } from '../../booking/holds/routes.ts'
import { seriesRoutes } from '../../booking/series/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { Problems } from '../../pages/views/problems.tsx'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { seriesTexts } from '../../platform/i18n/console/series.ts'
import { lengthText } from '../../platform/i18n/format.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import { listAll } from '../list-all.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { GetForm } from '../views/get-form.tsx'
import { shell } from '../views/shell.tsx'
import { holdAt } from './hold.tsx'
import { HostField, loadHosts } from './host-field.tsx'
import { InviteeFields, inviteeTrouble, NOTHING_ASKED, readInvitee, withoutEmail } from './invitee-fields.tsx'
import { DateField } from './jump.tsx'
import { OnPurposeFields, overrideIn, startIn } from './on-purpose.tsx'
import { loadWeek, OpenTimes, type Week } from './open-times.tsx'
import { conflictsIn, RepeatFields, readRepeat, wantsSeries } from './series/repeat.tsx'

type Offered = Pick<
  EventType,
  | 'id'
  | 'title'
  | 'duration_minutes'
  | 'duration_options'
  | 'questions'
  | 'places'
  | 'price_amount'
  | 'assignment_strategy'
>

/** What is to be booked, as the address or the form says. */
type Wanted = {
  readonly type: string | null
  readonly duration: number | null
  /** The chosen host; null is any. */
  readonly member: string | null
}

/** Books for somebody who asked by other ways. */
export function showNewBooking(request: MemberRequest): Promise<Response> {
  const { searchParams } = request.page.url
  const type = searchParams.get('type')
  const duration = Number(searchParams.get(`duration-${type}`))
  const member = searchParams.get(`member-${type}`) || null
  return newBookingPage(request, { type, duration: duration || null, member }, NO_TROUBLE, 200)
}

/** The invitee for whom it is booked again, as the link says. */
function knownIn({ searchParams }: URL): (readonly [string, string])[] {
  return ['name', 'email', 'phone'].flatMap((name) => {
    const value = searchParams.get(name)
    return value ? [[name, value] as const] : []
  })
}

function loadOffered(request: MemberRequest): Promise<readonly Offered[]> {
  return listAll(request, eventTypeRoutes.listEventTypes, { active: 'true' })
}

async function newBookingPage(
  request: MemberRequest,
  { type, duration, member: memberId }: Wanted,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  const { page, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const [offered, week, hosts] = await Promise.all([
    loadOffered(request),
    type === null ? null : loadWeek(request, { eventTypeId: type, duration, memberId }),
    type === null ? [] : loadHosts(request, type),
  ])
  const chosen = offered.find(({ id }) => id === type) ?? null
  const lengths = chosen ? [...new Set([chosen.duration_minutes, ...(chosen.duration_options ?? [])])] : []
  const length = (minutes: number) => lengthText(locale, minutes)
  return shell({
    request,
    title: texts.bookFor,
    back: { to: '/console/bookings', text: texts.title },
    status,
    children:
      offered.length === 0 ? (
        <p class="empty">{texts.noTypes}</p>
      ) : (
        <>
          {/* What was to be booked is offered no longer. */}
          {!chosen && trouble !== NO_TROUBLE && <Problems page={page} {...trouble} />}
          <GetForm action="/console/bookings/new" class="search panel" sendsOnChange>
            <HiddenFields fields={knownIn(page.url)} />
            <SelectField
              locale={locale}
              name="type"
              label={texts.chooseType}
              value={chosen?.id ?? ''}
              options={offered.map(({ id, title, duration_minutes }) => ({
                value: id,
                // A title may be written from right to left.
                text: `\u2068${title}\u2069 · ${length(duration_minutes)}`,
              }))}
            />
            {chosen && lengths.length > 1 && (
              <SelectField
                locale={locale}
                // Another event type has other lengths.
                name={`duration-${chosen.id}`}
                label={textsOf(locale, bookingFormTexts).duration}
                value={String(duration ?? chosen.duration_minutes)}
                options={lengths.map((minutes) => ({ value: String(minutes), text: length(minutes) }))}
              />
            )}
            {chosen && chosen.assignment_strategy !== 'none' && (
              <HostField request={request} name={`member-${chosen.id}`} value={memberId} hosts={hosts} />
            )}
            {week && <DateField request={request} first={week.first} />}
            <button type="submit" class="soft-button">
              {texts.showTimes}
            </button>
          </GetForm>
          {chosen && week && (
            <Details
              request={request}
              offered={chosen}
              wanted={{ type, duration, member: memberId }}
              week={week}
              trouble={trouble}
            />
          )}
        </>
      ),
  })
}

type DetailsProps = {
  readonly request: MemberRequest
  readonly offered: Offered
  readonly wanted: Wanted
  readonly week: Week
  readonly trouble: Trouble
}

function Details({ request, offered, wanted: { duration, member }, week, trouble }: DetailsProps) {
  const texts = textsOf(request.page.locale, bookingsTexts)
  const { hold } = textsOf(request.page.locale, bookingFormTexts)
  const chosen = [
    duration === null ? '' : `&duration-${offered.id}=${duration}`,
    member === null ? '' : `&member-${offered.id}=${encodeURIComponent(member)}`,
    ...knownIn(request.page.url).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`),
  ].join('')
  return (
    <Form
      request={request}
      action="/console/bookings/new"
      hidden={{
        type: offered.id,
        ...(duration !== null && { duration: String(duration) }),
        ...(member !== null && { member }),
      }}
      trouble={trouble}
      class="panel"
      once
    >
      <h2>{texts.chooseTime}</h2>
      <OpenTimes
        request={request}
        week={week}
        linkTo={(first) => `/console/bookings/new?type=${offered.id}${chosen}&from=${first}`}
      />
      <OnPurposeFields request={request} trouble={trouble} hasTime />
      <InviteeFields request={request} offered={offered} trouble={trouble} takesPhone />
      {offered.price_amount === null && <RepeatFields request={request} trouble={trouble} />}
      <div class="form-end">
        <button type="submit" class="button">
          {texts.book}
        </button>
        <button type="submit" name="hold" value="1" class="button soft-button">
          {hold}
        </button>
      </div>
    </Form>
  )
}

/** Books it, or by the other button only holds it while somebody makes up their mind. */
export async function createFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const texts = textsOf(page.locale, bookingsTexts)
  const type = form.get('type') ?? ''
  const wanted = { type, duration: Number(form.get('duration')) || null, member: orNull(form, 'member') }
  const start = startIn(request)
  if (!start) return newBookingPage(request, wanted, { title: texts.needTime }, 422)
  const { duration, member: memberId } = wanted
  const slot = {
    event_type_id: type,
    start_time: start,
    ...(duration !== null && { duration }),
    ...(memberId !== null && { member_id: memberId }),
  }
  if (form.has('hold')) {
    const held = await ask(request, holdRoutes.createHold, { body: slot })
    if (held.ok) return seeOther(page, holdAt({ type, ...held.body }))
    return newBookingPage(request, wanted, troubleOf(page.locale, held.refusal), formStatus(held.refusal))
  }
  const offered = (await loadOffered(request)).find(({ id }) => id === type) ?? NOTHING_ASKED
  const invitee = withoutEmail(readInvitee(request, offered))
  if (wantsSeries(request)) {
    if (overrideIn(request).override) {
      const title = textsOf(page.locale, seriesTexts).notOnPurpose
      return newBookingPage(request, wanted, { title }, 422)
    }
    const all = { ...slot, ...invitee, ...readRepeat(request) }
    const made = await ask(request, seriesRoutes.createSeries, { body: all })
    if (made.ok) return seeOther(page, `/console/bookings/series/${made.body.id}?done=booked`)
    const trouble = inviteeTrouble(request, made.refusal, offered)
    const title = conflictsIn(request, made.refusal)
    const told = title === null ? trouble : { ...trouble, title }
    return newBookingPage(request, wanted, told, formStatus(made.refusal))
  }
  const body = { ...slot, ...invitee, ...overrideIn(request) }
  const asked = await ask(request, bookingRoutes.createBooking, { body })
  if (asked.ok) return seeOther(page, `/console/bookings/${asked.body.id}?done=booked`)
  return newBookingPage(
    request,
    wanted,
    inviteeTrouble(request, asked.refusal, offered),
    formStatus(asked.refusal),
  )
}
