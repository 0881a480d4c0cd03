import { deviceOf } from '../../pages/device.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { MemberRequest } from '../request.ts'

/** The signed-in person, as the one who changes how they sign in. */
export function changingAs({ session, memberships, page }: MemberRequest) {
  const { request, ipAddress, requestId } = page.ctx
  return { person: session, memberships, device: deviceOf(request), ipAddress, requestId, now: realNow() }
}
