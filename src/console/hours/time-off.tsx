import { findUnhosted } from '../../booking/hosts/find-unhosted.ts'
import { timeOffRoutes } from '../../booking/hours/time-off/routes.ts'
import type { TimeOff } from '../../booking/hours/time-off/schema.ts'
import { formatDate, parseDate } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { isId } from '../../platform/db/ids.ts'
import { notFound, Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { dateText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, sharedEnv } from '../ask.ts'
import { orNull } from '../form.ts'
import { pagesOf } from '../list-all.ts'
import { forbiddenPage, nothingHere } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { doneAt } from './affected.tsx'
import { isAdmin, loadMembers, mayWriteOf, nameOf, peopleFor } from './people.ts'
import { isPeriodChanged, PeriodFields, periodIn, shownPeriod } from './period-fields.tsx'
import { UnhostedNote } from './unhosted.tsx'

const EVERYBODY = 'all'

export function showNewTimeOff(request: MemberRequest): Promise<Response> {
  return newPage(request, NO_TROUBLE, 200)
}

/** Takes one person off, or everybody; also what a closed week is. */
export async function takeTimeOff(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const who = form.get('who') ?? ''
  const asked = await ask(request, timeOffRoutes.createTimeOff, {
    body: {
      ...(who === EVERYBODY ? { all: true } : { member_ids: [who] }),
      ...periodIn(request),
      reason: orNull(form, 'reason'),
    },
  })
  if (asked.ok) return seeOther(page, doneAt('/console/hours', 'taken', asked.body))
  if (asked.refusal.code === 'forbidden') throw new Refused(asked.refusal)
  const trouble = troubleOf(page.locale, asked.refusal, { fields: { member_ids: 'who' } })
  return newPage(request, trouble, formStatus(asked.refusal))
}

/** Monday and Sunday of the week that a date of the address lies in, before it is closed. */
export async function confirmWeek(request: MemberRequest): Promise<Response> {
  const { page, member } = request
  const day = parseDate(page.url.searchParams.get('from') ?? '')
  if (day === null) return nothingHere(request)
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const texts = textsOf(page.locale, hoursTexts)
  const monday = mondayOf(day)
  const sunday = monday + 6 * DAY_MS
  const said = { from: dateText(page.locale, monday), to: dateText(page.locale, sunday) }
  const button = (who: string, text: string, isFirst: boolean) => (
    <button type="submit" name="who" value={who} class={isFirst ? 'button' : 'button soft-button'}>
      {text}
    </button>
  )
  return shell({
    request,
    title: fill(texts.closeTitle, said),
    back: { to: '/console/hours', text: texts.back },
    children: (
      <Form
        request={request}
        action="/console/hours/time-off"
        hidden={{ start: formatDate(monday), end: formatDate(sunday) }}
        once
        class="panel steps"
      >
        <p>{texts.closeFor}</p>
        <UnhostedNote request={request} eventTypes={await findUnhosted(sharedEnv(request), request)} />
        <div class="form-end">
          {isAdmin(request) && button(EVERYBODY, texts.closeForAll, true)}
          {button(member.memberId, texts.closeForMe, !isAdmin(request))}
        </div>
      </Form>
    ),
  })
}

/** The Monday of a date, both as the midnights they would be in UTC. */
export function mondayOf(midnight: number): number {
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY_MS
}

async function newPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page, form, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const { locale } = page
  const texts = textsOf(locale, hoursTexts)
  const [members, unhosted] = await Promise.all([
    loadMembers(request),
    findUnhosted(sharedEnv(request), request),
  ])
  const people = peopleFor(request, members).map((one) => ({
    value: one.id,
    text: one.id === member.memberId ? fill(texts.myself, { name: nameOf(one) }) : nameOf(one),
  }))
  return shell({
    request,
    title: texts.takeOff,
    lead: texts.timeOffLead,
    back: { to: '/console/hours', text: texts.back },
    status,
    children: (
      <Form request={request} action="/console/hours/time-off" trouble={trouble} once class="panel steps">
        <SelectField
          locale={locale}
          trouble={trouble}
          name="who"
          label={texts.who}
          value={form.get('who') ?? member.memberId}
          options={[...people, ...(isAdmin(request) ? [{ value: EVERYBODY, text: texts.everybody }] : [])]}
        />
        <UnhostedNote request={request} eventTypes={unhosted} />
        <Fields request={request} saved={{ start: '', end: '', reason: '' }} trouble={trouble} />
      </Form>
    ),
  })
}

type FieldsProps = {
  readonly request: MemberRequest
  readonly saved: Pick<TimeOff, 'start' | 'end' | 'reason'>
  readonly trouble: Trouble
}

function Fields({ request, saved, trouble }: FieldsProps) {
  const { locale } = request.page
  const texts = textsOf(locale, hoursTexts)
  const field = fieldsFor({ locale, trouble }, { reason: request.form.get('reason') ?? saved.reason })
  return (
    <>
      <PeriodFields request={request} saved={saved} trouble={trouble} />
      {field.text('reason', texts.reason, { hint: texts.reasonHint, isOptional: true })}
      <FormEnd request={request} />
    </>
  )
}

export async function showTimeOff(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return editPage(request, await loadTimeOff(request, id), NO_TROUBLE, 200)
}

/** Changes it, or removes it by the other button. */
export async function saveTimeOff(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  if (form.has('remove')) {
    const removed = await ask(request, timeOffRoutes.deleteTimeOff, { params: { id } })
    if (!removed.ok) throw new Refused(removed.refusal)
    return seeOther(page, `${screenOf(orNull(form, 'resource'))}?done=removed`)
  }
  const asked = await ask(request, timeOffRoutes.updateTimeOff, {
    params: { id },
    body: { ...(isPeriodChanged(form) && periodIn(request)), reason: orNull(form, 'reason') },
  })
  if (asked.ok) return seeOther(page, doneAt(screenOf(asked.body.resource_id), 'taken', asked.body))
  const { refusal } = asked
  if (refusal.code === 'not_found' || refusal.code === 'forbidden') throw new Refused(refusal)
  return editPage(
    request,
    await loadTimeOff(request, id),
    troubleOf(page.locale, refusal),
    formStatus(refusal),
  )
}

/** The screen that lists it: that of its room, or of the hours of people. */
function screenOf(roomId: string | null): `/console${string}` {
  return roomId !== null && isId(roomId) ? `/console/rooms/${roomId}` : '/console/hours'
}

async function loadTimeOff(request: MemberRequest, id: string): Promise<TimeOff> {
  for await (const page of pagesOf(request, timeOffRoutes.listTimeOff)) {
    const found = page.find((one) => one.id === id)
    if (found) return found
  }
  throw notFound('time off')
}

function editPage(request: MemberRequest, timeOff: TimeOff, trouble: Trouble, status: number): Response {
  if (!mayWriteOf(request, timeOff)) return forbiddenPage(request)
  const { page } = request
  const texts = textsOf(page.locale, hoursTexts)
  return shell({
    request,
    title: texts.editTimeOff,
    back: { to: screenOf(timeOff.resource_id), text: texts.back },
    status,
    children: (
      <Form
        request={request}
        action={`/console/hours/time-off/${timeOff.id}`}
        hidden={shownPeriod(timeOff, request.zone)}
        trouble={trouble}
        class="panel steps"
      >
        <Fields request={request} saved={timeOff} trouble={trouble} />
      </Form>
    ),
  })
}
