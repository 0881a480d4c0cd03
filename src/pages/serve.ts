import { ACCOUNT_PROVIDERS } from '../calendars/accounts/providers.ts'
import type { Env } from '../env.ts'

const OURS =
  /^\/($|book(\/|$)|bookings(\/|$)|requests\/|waitlist(\/|$)|invitations(\/|$)|calendar-feeds\/|media\/|docs(\/|\.md$|$)|llms(-full)?\.txt$)/
/** Where providers send people back to: their browsers, so that a page answers. */
const CALLBACK_PATHS = Object.values(ACCOUNT_PROVIDERS).map(({ path }) => `${path}/callback`)
const STATIC = /^\/(assets\/|embed\.js$|favicon\.svg$|robots\.txt$)/

/** Answers requests for pages; null leaves the request to the API. */
export async function servePage(
  request: Request,
  env: Env,
  { pathname }: URL = new URL(request.url),
): Promise<Response | null> {
  if (STATIC.test(pathname)) return withOwnHeaders(await env.ASSETS.fetch(request))
  if (!OURS.test(pathname) && !CALLBACK_PATHS.includes(pathname.replace(/\/$/, ''))) return null
  const { answerPage } = await import('./answer-page.ts')
  return answerPage(request, env, pathname)
}

/** A copy, because a binding's answer cannot be changed. A missing file is not cached: the next deployment may bring it. */
function withOwnHeaders(response: Response): Response {
  const own = new Response(response.body, response)
  if (own.status === 404) own.headers.set('Cache-Control', 'no-store')
  return own
}
