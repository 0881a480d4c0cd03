import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { hostRoutes } from '../../booking/hosts/routes.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { organizationRoutes } from '../../people/organizations/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { startTexts } from '../../platform/i18n/console/start.ts'
import { ask, wrongIn } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { Form, MemberRequest } from '../request.ts'
import { type At, type Trouble, troubleOf } from '../trouble.ts'
import { type Setup, setupPage } from './setup-form.tsx'

function readSetup(form: Form): Setup {
  const typed = (name: string) => form.get(name) ?? ''
  return {
    name: typed('name'),
    slug: typed('slug').toLowerCase(),
    timezone: typed('timezone'),
    title: typed('title'),
    duration: typed('duration'),
    place: typed('place'),
    place_detail: typed('place_detail'),
    days: form.all('days'),
    from: typed('from'),
    to: typed('to'),
  }
}

/** Names the organization, makes something to book, and opens its hours. Sent again, it goes on where it was refused. */
export async function setUp(request: MemberRequest): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const setup = readSetup(request.form)
  const { locale } = request.page
  const wrong = checked(request, setup)
  if (wrong) return setupPage(request, setup, wrong, 422)
  const refused = (refusal: Refusal, at: At = {}) =>
    setupPage(request, setup, troubleOf(locale, refusal, { fields: NAMES, at }), formStatus(refusal))
  const bodies = bodiesOf(setup)
  const misshapen = misshapenIn(bodies)
  if (misshapen) return refused(misshapen)
  const { name, eventType, hours } = bodies
  const own = { params: { id: request.organizationId } }
  const named = await ask(request, organizationRoutes.updateOrganization, { ...own, body: name })
  if (!named.ok) return refused(named.refusal, { slug_taken: 'slug' })
  // The first hours are the organization's: what is made later has them too.
  const open = await ask(request, scheduleRoutes.createSchedule, {
    body: { name: textsOf(locale, startTexts).scheduleName, is_default: true, ...hours },
  })
  if (!open.ok) return refused(open.refusal)
  const made = await ask(request, eventTypeRoutes.createEventType, { body: eventType })
  if (!made.ok) return refused(made.refusal)
  const { id } = made.body
  const hosted = await hostOneself(request, id)
  if (!hosted.ok) return refused(hosted.refusal)
  await ask(request, organizationRoutes.updateOrganization, {
    ...own,
    body: { complete_onboarding: true },
  })
  return seeOther(request.page, '/console/start')
}

/** How the form calls the fields of the endpoints. */
const NAMES = {
  duration_minutes: 'duration',
  custom_meeting_url: 'place_detail',
  location: 'place_detail',
  rules: 'from',
} as const

/** What is said in words of our own. */
function checked(
  { page }: MemberRequest,
  { days, from, to, place, place_detail: placeDetail }: Setup,
): Trouble | null {
  const texts = textsOf(page.locale, startTexts)
  const fields = {
    ...(days.length === 0 && { days: texts.needDay }),
    ...(from >= to && { to: texts.needOrder }),
    ...(place !== 'later' && placeDetail === '' && { place_detail: texts.needPlace }),
  }
  return Object.keys(fields).length > 0 ? { fields } : null
}

/** What is sent to the endpoints. */
function bodiesOf({ name, slug, timezone, title, duration, days, from, to, ...setup }: Setup) {
  const { place, place_detail: placeDetail } = setup
  return {
    name: { name, slug, timezone },
    eventType: {
      title,
      slug: slugOf(title),
      duration_minutes: Number(duration),
      timezone,
      booking_page_enabled: true,
      ...(place !== 'later' && { conferencing_provider: place }),
      ...(place === 'in_person' && { location: placeDetail }),
      ...(place === 'custom' && { custom_meeting_url: placeDetail }),
    },
    hours: {
      timezone,
      rules: days.map((day) => ({ day_of_week: Number(day), start_time: from, end_time: to })),
    },
  }
}

/** What would be refused only after something was made. */
function misshapenIn({ name, eventType, hours }: ReturnType<typeof bodiesOf>): Refusal | null {
  return (
    wrongIn(organizationRoutes.updateOrganization, name) ??
    wrongIn(eventTypeRoutes.createEventType, eventType) ??
    wrongIn(scheduleRoutes.createSchedule, { name: 'hours', ...hours })
  )
}

/** The creator of an event type hosts it, so that nobody can book them twice at the same time. */
export function hostOneself(request: MemberRequest, id: string): Promise<Acted<unknown>> {
  return ask(request, hostRoutes.addHost, { params: { id }, body: { member_id: request.member.memberId } })
}

/** An address made of a title: `Erstgespräch am Telefon` becomes `erstgesprach-am-telefon`. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, 63) || 'meeting'
}
