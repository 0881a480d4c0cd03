import { waitlistRoutes } from '../../booking/waitlist/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

export async function leaveFromConsole(visit: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(visit, waitlistRoutes, 'leaveWaitlist', { params: { id } })
  return seeOther(visit.page, '/console/bookings?view=waitlist&done=left')
}
