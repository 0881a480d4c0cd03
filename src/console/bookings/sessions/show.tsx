import { bookingRoutes } from '../../../booking/bookings/routes.ts'
import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Params } from '../../../pages/page.ts'
import { isRolePermitted } from '../../../platform/auth/policy.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { bookingFormTexts } from '../../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../../platform/i18n/console/catalogue.ts'
import { sessionTexts } from '../../../platform/i18n/console/sessions.ts'
import { ownSpanText } from '../../../platform/i18n/format.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import { listAll } from '../../list-all.ts'
import type { MemberRequest } from '../../request.ts'
import { NO_TROUBLE, type Trouble } from '../../trouble.ts'
import { CheckField } from '../../views/fields.tsx'
import { typedFields } from '../../views/fields-for.tsx'
import { Form } from '../../views/form.tsx'
import { FormEnd } from '../../views/form-end.tsx'
import { shell } from '../../views/shell.tsx'
import { Jump } from '../jump.tsx'
import { NotifyField } from '../notify-field.tsx'
import { OnPurposeFields } from '../on-purpose.tsx'
import { loadWeek, OpenTimes, type Week } from '../open-times.tsx'

type Bookings = Awaited<ReturnType<typeof loadSession>>

/** The active bookings of a session. */
export async function loadSession(request: MemberRequest, id: string) {
  const all = await listAll(request, bookingRoutes.listBookings, { session_id: id })
  const active = all.filter(({ status }) => status !== 'cancelled')
  if (active.length === 0) throw notFound('session')
  return active.toReversed()
}

export async function showSession(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return sessionPage(request, id, await loadSession(request, id), {}, 200)
}

/** What went wrong with which of its forms. */
type Troubles = { readonly move?: Trouble; readonly cancel?: Trouble; readonly attendance?: Trouble }

/** The people in a session, and what can be done with it as a whole. */
export async function sessionPage(
  request: MemberRequest,
  id: string,
  bookings: Bookings,
  troubles: Troubles,
  status: number,
): Promise<Response> {
  const { page, member, zone } = request
  const { locale } = page
  const texts = textsOf(locale, sessionTexts)
  const [{ event_type_id: eventTypeId, start_time, end_time }] = bookings as [Bookings[number]]
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)]
  const mayChange = isRolePermitted(member.role, 'book')
  const week = mayChange
    ? await loadWeek(request, { eventTypeId, duration: Math.round((end - start) / MINUTE_MS) })
    : null
  const said = page.url.searchParams.get('done')
  const done = (['moved', 'attended'] as const).find((one) => one === said)
  const at = `/console/bookings/sessions/${id}` as const
  return shell({
    request,
    title: ownSpanText(locale, start, end, zone),
    back: { to: `/console/bookings/sessions?type=${eventTypeId}`, text: texts.title },
    done: done && texts[done],
    status,
    children: (
      <>
        <Roster request={request} at={at} bookings={bookings} trouble={troubles.attendance} />
        {week && <MoveForm request={request} at={at} week={week} trouble={troubles.move} />}
        {mayChange && <CancelForm request={request} at={at} trouble={troubles.cancel} />}
      </>
    ),
  })
}

type PartProps = {
  readonly request: MemberRequest
  readonly at: `/console${string}`
  readonly trouble: Trouble | undefined
}

/** Everybody in it; attendance is recorded once it has begun. */
function Roster({
  request,
  at,
  bookings,
  trouble = NO_TROUBLE,
}: PartProps & { readonly bookings: Bookings }) {
  const { page, member, now } = request
  const { locale } = page
  const [texts, forms] = [textsOf(locale, sessionTexts), textsOf(locale, bookingFormTexts)]
  const hasBegun = Date.parse(bookings[0]!.start_time) <= now
  const records = hasBegun && isRolePermitted(member.role, 'book')
  const rows = bookings.map(({ id, attendees, host_absent }) => (
    <li key={id}>
      <ul>
        {attendees.map((one) => (
          <li key={one.id}>
            <a href={`/console/bookings/${id}`}>
              <bdi>{one.name}</bdi>
            </a>{' '}
            <bdi class="soft">{one.email}</bdi>
            {records ? (
              <CheckField
                locale={locale}
                id={`no_show-${one.id}`}
                name="no_show"
                value={one.id}
                label={fill(forms.didNotCome, { name: one.name })}
                isChecked={one.no_show}
              />
            ) : (
              one.no_show && <span class="badge warn">{forms.noShow}</span>
            )}
          </li>
        ))}
      </ul>
      {host_absent && <span class="badge warn">{forms.hostAbsent}</span>}
    </li>
  ))
  return (
    <section class="panel">
      <h2>{texts.roster}</h2>
      {records ? (
        <Form request={request} action={`${at}/attendance`} trouble={trouble}>
          <p class="soft">{texts.rosterText}</p>
          <ul class="rows">{rows}</ul>
          <FormEnd request={request} text={forms.saveAttendance} tone="soft-button" />
        </Form>
      ) : (
        <ul class="rows">{rows}</ul>
      )}
    </section>
  )
}

function MoveForm({ request, at, week, trouble = NO_TROUBLE }: PartProps & { readonly week: Week }) {
  const { locale, url } = request.page
  const texts = textsOf(locale, sessionTexts)
  const { reasonLabel, reasonHint } = textsOf(locale, bookingsTexts)
  const field = typedFields(request, trouble)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE || url.searchParams.has('from')}>
      <summary>{texts.move}</summary>
      <p class="soft">{texts.moveText}</p>
      <Jump request={request} action={at} hidden={{}} first={week.first} />
      <Form request={request} action={`${at}/move`} trouble={trouble}>
        <OpenTimes request={request} week={week} linkTo={(first) => `${at}?from=${first}`} />
        <OnPurposeFields request={request} trouble={trouble} hasTime />
        {field.text('reason', reasonLabel, { hint: reasonHint, isOptional: true })}
        <NotifyField request={request} isSent={trouble !== NO_TROUBLE} />
        <FormEnd request={request} text={texts.move} />
      </Form>
    </details>
  )
}

function CancelForm({ request, at, trouble = NO_TROUBLE }: PartProps) {
  const { locale } = request.page
  const texts = textsOf(locale, sessionTexts)
  const { reasonLabel, reasonHint } = textsOf(locale, bookingsTexts)
  const field = typedFields(request, trouble)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.cancel}</summary>
      <Form request={request} action={`${at}/cancel`} trouble={trouble}>
        <p class="soft">{texts.cancelText}</p>
        {field.text('reason', reasonLabel, { id: 'cancel-reason', hint: reasonHint, isOptional: true })}
        <FormEnd request={request} text={texts.cancel} tone="danger" />
      </Form>
    </details>
  )
}
