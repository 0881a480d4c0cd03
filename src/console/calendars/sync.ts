import { calendarRoutes } from '../../calendars/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { notFound } from '../../platform/http/errors.ts'
import { need } from '../ask.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { stateOf } from './state.ts'
import { isAdmin } from './whose.ts'

/** Reads a calendar now, and says whether it could be read. Members read their own. */
export async function syncFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isAdmin(request)) await assertOwn(request, id)
  const connection = await need(request, calendarRoutes.syncCalendar, {
    params: { id },
  })
  const done = stateOf(request, connection).tone === 'good' ? 'synced' : 'notSynced'
  return seeOther(request.page, `/console/calendars?done=${done}`)
}

async function assertOwn(request: MemberRequest, id: string): Promise<void> {
  const all = await listAll(request, calendarRoutes.listCalendars)
  const isOwn = all.some((one) => one.id === id && one.member_id === request.member.memberId)
  if (!isOwn) throw notFound('calendar connection')
}
