import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { answerText } from '../../booking/questions/answer-text.ts'
import { type OpenedEntry, openedEntriesOf } from '../../booking/waitlist/list-entries.ts'
import { WaitlistQuery } from '../../booking/waitlist/schema.ts'
import { validate } from '../../platform/http/validate.ts'
import { bookingListTexts } from '../../platform/i18n/console/booking-lists.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { AT_ONCE, allPages, localCell, type Table } from './csv.ts'

/** All entries that wait. */
export function entryTable(request: MemberRequest): Table {
  return { head: textsOf(request.page.locale, bookingListTexts).waitlistHead, pages: cellPages(request) }
}

async function* cellPages(request: MemberRequest) {
  const { env } = request.page.ctx
  const eventTypes = await listAll(request, eventTypeRoutes.listEventTypes)
  const titles = new Map(eventTypes.map(({ id, title }) => [id, title]))
  const query = { ...(validate(WaitlistQuery, { status: 'waiting' }) as WaitlistQuery), limit: AT_ONCE }
  const pages = allPages((after: string | null) =>
    openedEntriesOf(env, request, { ...query, ...(after !== null && { starting_after: after }) }),
  )
  for await (const entries of pages) {
    yield entries.map((entry) => cellsOf(entry, request, titles.get(entry.event_type_id) ?? ''))
  }
}

function cellsOf(entry: OpenedEntry, { page, zone }: MemberRequest, title: string): readonly string[] {
  return [
    String(entry.position),
    title,
    entry.start_time ?? '',
    entry.invitee_name,
    entry.invitee_email,
    entry.created_at,
    entry.expires_at,
    entry.id,
    entry.start_time === null ? '' : localCell(entry.start_time, zone),
    zone,
    entry.phone ?? '',
    entry.notes ?? '',
    entry.kept.map(({ label, value }) => `${label}: ${answerText(page.locale, value)}`).join('\n'),
  ]
}
