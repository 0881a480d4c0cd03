import { isRolePermitted } from '../../auth/policy.ts'
import type { Refusal } from '../../http/errors.ts'
import { formStatus } from '../../http/form-status.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { startTexts } from '../../i18n/console/start.ts'
import { seeOther } from '../../pages/respond.ts'
import { availabilityRoutes } from '../../resources/availability/routes.ts'
import { eventTypeRoutes } from '../../resources/event-types/routes.ts'
import { hostRoutes } from '../../resources/hosts/routes.ts'
import { organizationRoutes } from '../../resources/organizations/routes.ts'
import { type Asked, ask } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import { type Trouble, toldTrouble } from '../told.ts'
import type { Form, Visit } from '../visit.ts'
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
export async function setUp(visit: Visit): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const setup = readSetup(visit.form)
  const wrong = checked(visit, setup)
  if (wrong) return setupPage(visit, setup, wrong, 422)
  const { organizationId } = visit
  const refused = (refusal: Refusal, trouble: Trouble) =>
    setupPage(visit, setup, trouble, formStatus(refusal))
  const own = { params: { id: organizationId } }
  const named = await ask(visit, organizationRoutes, 'updateOrganization', {
    ...own,
    body: { name: setup.name, slug: setup.slug, timezone: setup.timezone },
  })
  const texts = textsOf(visit.page.locale, startTexts)
  if (!named.ok) {
    const taken = { conflict: { title: texts.slugTaken, fields: { slug: texts.slugTaken } } }
    return refused(named.refusal, toldTrouble(visit.page.locale, named.refusal, { codes: taken }))
  }
  const made = await makeEventType(visit, setup)
  if (!made.ok) return refused(made.refusal, toldTrouble(visit.page.locale, made.refusal, { fields: NAMES }))
  const hosted = await hostOneself(visit, made.body.id)
  if (!hosted.ok) return refused(hosted.refusal, toldTrouble(visit.page.locale, hosted.refusal))
  const open = await ask(visit, availabilityRoutes, 'putAvailabilityRules', {
    params: { id: made.body.id },
    body: { timezone: setup.timezone, rules: rulesOf(setup) },
  })
  if (!open.ok) return refused(open.refusal, toldTrouble(visit.page.locale, open.refusal, { fields: NAMES }))
  await ask(visit, organizationRoutes, 'updateOrganization', { ...own, body: { complete_onboarding: true } })
  return seeOther(visit.page, '/console/start')
}

/** How the form calls the fields of the endpoints. */
const NAMES = {
  duration_minutes: 'duration',
  custom_meeting_url: 'place_detail',
  location: 'place_detail',
  rules: 'from',
} as const

/** What would be refused only after something was made. */
function checked(
  { page }: Visit,
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

function makeEventType(visit: Visit, setup: Setup): Promise<Asked<{ readonly id: string }>> {
  const { title, duration, place, place_detail: placeDetail, timezone } = setup
  return ask<{ id: string }>(visit, eventTypeRoutes, 'createEventType', {
    body: {
      title,
      slug: slugOf(title),
      duration_minutes: Number(duration),
      timezone,
      booking_page_enabled: true,
      ...(place !== 'later' && { conferencing_provider: place }),
      ...(place === 'in_person' && { location: placeDetail }),
      ...(place === 'custom' && { custom_meeting_url: placeDetail }),
    },
  })
}

/** Whoever makes an event type hosts it, so that nobody can book them twice at the same time. */
export function hostOneself(visit: Visit, id: string): Promise<Asked<unknown>> {
  return ask(visit, hostRoutes, 'addHost', { params: { id }, body: { member_id: visit.member.memberId } })
}

function rulesOf({ days, from, to }: Setup) {
  return days.map((day) => ({ day_of_week: Number(day), start_time: from, end_time: to }))
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
