import { plain } from '../../pages/respond.ts'
import { takeTime } from '../../platform/db/deadline.ts'
import type { MemberRequest } from '../request.ts'
import { bookingTable } from './booking-cells.ts'
import { csvOf } from './csv.ts'
import { entryTable } from './entry-cells.ts'
import { viewIn } from './views.ts'

/** All that a view lists, for a spreadsheet. */
export async function downloadBookings(request: MemberRequest): Promise<Response> {
  const { page } = request
  const view = viewIn(page.url)
  takeTime(page.ctx.env)
  const table = view === 'waitlist' ? entryTable(request) : bookingTable(request, view)
  const headers = { 'Content-Disposition': `attachment; filename="bookings-${view}.csv"` }
  return plain(page, 'text/csv', await csvOf(table), { isPrivate: true, headers })
}
