import { timeOffRoutes } from '../../booking/hours/time-off/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import { doneAt } from '../hours/affected.tsx'
import { periodIn } from '../hours/period-fields.tsx'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { closingByTimeOff } from './closing.ts'
import { loadRoom, roomPage } from './room.tsx'

/** Time off of a room. Bookings in it are named before, and stay. */
export async function closeRoom(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const body = { resource_ids: [id], ...periodIn(request), reason: orNull(form, 'reason') }
  const closing = await closingByTimeOff(request, id, body)
  if (closing) return roomPage(request, await loadRoom(request, id), { timeOff: { closing } }, 200)
  const asked = await ask(request, timeOffRoutes.createTimeOff, { body })
  if (asked.ok) return seeOther(page, doneAt(`/console/rooms/${id}`, 'taken', asked.body))
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const trouble = troubleOf(page.locale, asked.refusal)
  return roomPage(request, await loadRoom(request, id), { timeOff: { trouble } }, formStatus(asked.refusal))
}
