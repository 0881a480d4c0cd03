import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Door } from '../oauth/api.ts'
import { openZoomApi } from './zoom-api.ts'

/** https://developers.zoom.us/docs/api/users */
const ZoomUser = z.object({ id: z.string().min(1), email: z.string() })

/** The owner of the account: Zoom's permanent id of the user, and the address they sign in with. Throws a CalendarError. */
export async function findZoomAccount(door: Door): Promise<{ id: string; email: string }> {
  const parsed = ZoomUser.safeParse((await openZoomApi(door)({ path: '/users/me' })).json)
  if (!parsed.success) throw new CalendarError('unusable', 'Zoom did not say whose account it is.')
  return parsed.data
}
