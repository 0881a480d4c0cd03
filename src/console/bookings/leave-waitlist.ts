import { waitlistRoutes } from '../../booking/waitlist/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

export async function leaveFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(request, waitlistRoutes.leaveWaitlist, { params: { id } })
  return seeOther(request.page, '/console/bookings?view=waitlist&done=left')
}
