import { moveRoutes } from '../../operations/moves/routes.ts'
import { plain } from '../../pages/respond.ts'
import { Streamed } from '../../platform/http/answer.ts'
import { need } from '../ask.ts'
import { askForProof } from '../proven.ts'
import type { MemberRequest } from '../request.ts'

/** Everything that the organization has, as a file that is made while it is taken. */
export async function downloadExport(request: MemberRequest): Promise<Response> {
  const proof = await askForProof(request, '/console/settings/organization')
  if (proof) return proof
  // It is of both sides, whichever is looked at.
  const live = { ...request, isTest: false }
  const lines: unknown = await need(live, moveRoutes.exportOrganization)
  if (!(lines instanceof Streamed)) throw new Error('an export is a stream of lines')
  const headers = { 'Content-Disposition': `attachment; filename="${request.member.slug}.ndjson"` }
  return plain(request.page, lines.contentType, lines.stream, { isPrivate: true, headers })
}
