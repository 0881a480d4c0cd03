import { calendarRoutes } from '../../calendars/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask } from '../ask.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { calendarsPage } from './overview.tsx'
import { isAdmin } from './whose.ts'

export async function changeCalendar(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const asked = await ask(request, calendarRoutes.updateCalendar, {
    params: { id },
    body: {
      checks_busy: isChecked(form, 'checks_busy'),
      receives_bookings: isChecked(form, 'receives_bookings'),
      blocks: isChecked(form, 'closes') ? 'all_events' : 'busy',
      ...(isAdmin(request) && { everybody: isChecked(form, 'everybody') }),
    },
  })
  if (asked.ok) return seeOther(page, '/console/calendars?done=saved')
  return calendarsPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
