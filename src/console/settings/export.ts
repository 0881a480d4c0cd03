import { moveRoutes } from '../../operations/moves/routes.ts'
import { plain } from '../../pages/respond.ts'
import { Streamed } from '../../platform/http/answer.ts'
import { need } from '../ask.ts'
import { askForProof } from '../proven.ts'
import type { MemberRequest } from '../request.ts'

/** Everything that the organization has, as a file that is made while it is taken. */
export function downloadExport(request: MemberRequest): Promise<Response> {
  return download(request, moveRoutes.exportOrganization, 'ndjson')
}

/** Its upcoming bookings, for a calendar program. */
export function downloadCalendar(request: MemberRequest): Promise<Response> {
  return download(request, moveRoutes.exportCalendar, 'ics')
}

type Export = typeof moveRoutes.exportOrganization | typeof moveRoutes.exportCalendar

async function download(request: MemberRequest, route: Export, type: string): Promise<Response> {
  const proof = await askForProof(request, '/console/settings/organization')
  if (proof) return proof
  // It is of both sides, whichever is looked at, or of live data alone.
  const live = { ...request, isTest: false }
  const lines: unknown = await need(live, route)
  if (!(lines instanceof Streamed)) throw new Error('an export is a stream of lines')
  const headers = { 'Content-Disposition': `attachment; filename="${request.member.slug}.${type}"` }
  return plain(request.page, lines.contentType, lines.stream, { isPrivate: true, headers })
}
