import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { resourceRoutes } from '../../booking/resources/routes.ts'
import type { Resource } from '../../booking/resources/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { RESOURCE_KINDS } from '../../platform/db/schema/resources.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { roomTexts } from '../../platform/i18n/console/rooms.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { ask, need } from '../ask.ts'
import { isChecked, numberIn, orNull } from '../form.ts'
import { Affected, loadAffected } from '../hours/affected.tsx'
import type { Closing } from '../hours/closing.tsx'
import { isAdmin } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import type { Option } from '../views/fields.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { closingByRoom } from './closing.ts'
import { FeedsPart, loadFeeds } from './feeds.tsx'
import { loadClosed, type OpenForm, TimeOffPart } from './time-off.tsx'

type Typed = Readonly<Record<'name' | 'kind' | 'schedule_id' | 'notes', string | null>> & {
  readonly quantity: number | string | null
  readonly active: boolean
}

const BLANK: Typed = { name: '', kind: 'room', quantity: 1, schedule_id: null, notes: null, active: true }

export function showNewRoom(request: MemberRequest): Promise<Response> {
  return newPage(request, BLANK, NO_TROUBLE, 200)
}

export async function createRoom(request: MemberRequest): Promise<Response> {
  const body = readRoom(request)
  const asked = await ask(request, resourceRoutes.createResource, { body })
  if (asked.ok) return seeOther(request.page, `/console/rooms/${asked.body.id}?done=saved`)
  return newPage(request, body, troubleOf(request.page.locale, asked.refusal), formStatus(asked.refusal))
}

export async function showRoom(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return roomPage(request, await loadRoom(request, id), {}, 200)
}

export async function saveRoom(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const body = readRoom(request)
  const closing = await closingByRoom(request, id, body)
  if (closing) return roomPage(request, await loadRoom(request, id), { typed: body, closing }, 200)
  const asked = await ask(request, resourceRoutes.updateResource, { params: { id }, body })
  if (asked.ok) return seeOther(request.page, `/console/rooms/${id}?done=saved`)
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const trouble = troubleOf(request.page.locale, asked.refusal)
  return roomPage(request, await loadRoom(request, id), { typed: body, trouble }, formStatus(asked.refusal))
}

export async function deleteRoom(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const asked = await ask(request, resourceRoutes.deleteResource, { params: { id } })
  if (asked.ok) return seeOther(request.page, '/console/rooms?done=removed')
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const trouble = troubleOf(request.page.locale, asked.refusal)
  return roomPage(request, await loadRoom(request, id), { trouble }, formStatus(asked.refusal))
}

export function loadRoom(request: MemberRequest, id: string): Promise<Resource> {
  return need(request, resourceRoutes.getResource, { params: { id } })
}

function readRoom({ form }: MemberRequest): Typed {
  return {
    name: form.get('name') ?? '',
    kind: form.get('kind') ?? '',
    quantity: numberIn(form, 'quantity'),
    schedule_id: orNull(form, 'schedule_id'),
    notes: orNull(form, 'notes'),
    active: isChecked(form, 'active'),
  }
}

/** The schedules that a room can follow. */
async function loadSchedules(request: MemberRequest): Promise<Option[]> {
  const texts = textsOf(request.page.locale, roomTexts)
  const all = await listAll(request, scheduleRoutes.listSchedules)
  return [{ value: '', text: texts.always }, ...all.map(({ id, name }) => ({ value: id, text: name }))]
}

type FieldsProps = {
  readonly request: MemberRequest
  readonly value: Typed
  readonly schedules: readonly Option[]
  readonly trouble: Trouble
}

function Fields({ request: { page }, value, schedules, trouble }: FieldsProps) {
  const { locale } = page
  const texts = textsOf(locale, roomTexts)
  const field = fieldsFor({ locale, trouble }, value)
  const kinds = RESOURCE_KINDS.map((kind) => ({ value: kind, text: texts[kind] }))
  return (
    <>
      {field.text('name', texts.name, { hint: texts.nameHint })}
      <div class="pair">
        {field.select('kind', texts.kind, kinds)}
        {field.number('quantity', texts.quantity, { hint: texts.quantityHint })}
        {field.select('schedule_id', texts.hours, schedules, { isOptional: true })}
      </div>
      {field.check('active', texts.active, { hint: texts.activeHint })}
      {field.text('notes', texts.notes, { hint: texts.notesHint, rows: 3, isOptional: true })}
    </>
  )
}

async function newPage(
  request: MemberRequest,
  value: Typed,
  trouble: Trouble,
  status: number,
): Promise<Response> {
  if (!isAdmin(request)) return forbiddenPage(request)
  const texts = textsOf(request.page.locale, roomTexts)
  const schedules = await loadSchedules(request)
  return shell({
    request,
    title: texts.add,
    back: { to: '/console/rooms', text: texts.back },
    status,
    children: (
      <Form request={request} action="/console/rooms/new" trouble={trouble} once class="panel steps">
        <Fields request={request} value={value} schedules={schedules} trouble={trouble} />
        <FormEnd request={request} />
      </Form>
    ),
  })
}

/** What was typed, what went wrong with which of its forms, and what they would close. */
type Sent = {
  readonly typed?: Typed
  readonly trouble?: Trouble
  readonly timeOff?: OpenForm
  readonly closing?: Closing
}

export async function roomPage(
  request: MemberRequest,
  room: Resource,
  { typed, trouble = NO_TROUBLE, timeOff = {}, closing }: Sent,
  status: number,
): Promise<Response> {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, roomTexts)
  const [schedules, closed, feeds, affected] = await Promise.all([
    loadSchedules(request),
    loadClosed(request, room.id),
    loadFeeds(request, room.id),
    loadAffected(request),
  ])
  const said = page.url.searchParams.get('done') ?? ''
  const { saved } = textsOf(locale, shellTexts)
  const done = { saved, taken: texts.closedDone, removed: texts.openedDone }[said]
  const own = `/console/rooms/${room.id}` as const
  const fields = <Fields request={request} value={typed ?? room} schedules={schedules} trouble={trouble} />
  return shell({
    request,
    title: room.name,
    back: { to: '/console/rooms', text: texts.back },
    done,
    status,
    actions: !room.active && <span class="badge">{texts.inactive}</span>,
    children: (
      <>
        <Affected request={request} bookings={affected} />
        {isAdmin(request) ? (
          <Form
            request={request}
            action={own}
            trouble={trouble}
            class="panel steps"
            {...(closing && { hidden: closing.hidden })}
          >
            {fields}
            {closing?.note}
            <FormEnd request={request} />
          </Form>
        ) : (
          <fieldset class="steps plain-set" disabled>
            {fields}
          </fieldset>
        )}
        <TimeOffPart request={request} room={room} closed={closed} sent={timeOff} />
        <FeedsPart request={request} room={room} feeds={feeds} />
        {isAdmin(request) && (
          <details class="folded">
            <summary>{texts.remove}</summary>
            <Form request={request} action={`${own}/delete`} class="panel steps">
              <p>{texts.removeText}</p>
              <FormEnd request={request} text={texts.remove} tone="danger" />
            </Form>
          </details>
        )}
      </>
    ),
  })
}
