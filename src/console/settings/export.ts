import { moveRoutes } from '../../operations/moves/routes.ts'
import { plain } from '../../pages/respond.ts'
import type { Streamed } from '../../platform/http/answer.ts'
import { need } from '../ask.ts'
import { askForProof } from '../proven.ts'
import type { MemberRequest } from '../request.ts'

/** Everything that the organization has, as a file that is made while it is taken. */
export async function downloadExport(visit: MemberRequest): Promise<Response> {
  const proof = await askForProof(visit, '/console/settings/organization')
  if (proof) return proof
  // It is of both sides, whichever is looked at.
  const live = { ...visit, isTest: false }
  const { stream, contentType } = await need<Streamed>(live, moveRoutes, 'exportOrganization')
  const headers = { 'Content-Disposition': `attachment; filename="${visit.member.slug}.ndjson"` }
  return plain(visit.page, contentType, stream, { isPrivate: true, headers })
}
