import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { apiKeyRoutes } from '../../people/api-keys/routes.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

/** It asks for no new proof: anyone who finds a key where it should not be can end it at once. */
export async function revokeKeyInConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  await need(request, apiKeyRoutes.revokeApiKey, { params: { id } })
  return seeOther(request.page, '/console/developers?done=revoked')
}
