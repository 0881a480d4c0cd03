import { testDataRoutes } from '../../operations/sandbox/routes.ts'
import type { Params } from '../../pages/page.ts'
import { plain } from '../../pages/respond.ts'
import { notFound } from '../../platform/http/errors.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { afterIn } from './more.tsx'

/** Emails style themselves inline; they run nothing, and their links open in a new tab. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

/** An email of the outbox as its recipient would see it. */
export async function showOutboxEmail(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { data } = await need(request, testDataRoutes.listOutbox, {
    query: { limit: '20', ...afterIn(request.page.url) },
  })
  const html = data.find((item) => item.id === id)?.html
  if (!html) throw notFound('page')
  return plain(request.page, 'text/html', html, {
    isPrivate: true,
    headers: { 'Content-Security-Policy': POLICY },
  })
}
