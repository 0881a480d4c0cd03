import { waitUntil } from 'cloudflare:workers'
import { assertConfigured, type Env } from '../env.ts'
import { openPage } from '../pages/open-page.ts'
import type { Page, Params } from '../pages/page.ts'
import { crossSite } from '../pages/refusal-pages.tsx'
import { seeOther } from '../pages/respond.ts'
import { isFromOwnPage } from '../pages/same-site.ts'
import { dropSession, sessionTokenOf, withCookie } from '../pages/session-cookie.ts'
import { findSession } from '../people/sign-in/sessions.ts'
import { bareError } from '../platform/db/bare-error.ts'
import { byDeadline } from '../platform/db/deadline.ts'
import { looseId } from '../platform/db/ids.ts'
import { isPassing } from '../platform/db/passing-failure.ts'
import { homeOf } from '../platform/db/shards.ts'
import { Refused } from '../platform/http/errors.ts'
import { forRequest } from '../platform/http/for-request.ts'
import { nestedRouter } from '../platform/http/nested-router.ts'
import { brakeNetwork } from '../platform/http/network-brake.ts'
import { nowAsSeen, realNow } from '../platform/limits/clock.ts'
import { writeLine } from '../platform/log/write-line.ts'
import { AREAS } from './areas.ts'
import { formTokenOf, isFormTokenOf } from './csrf.ts'
import { type Room, readForm } from './form.ts'
import { consoleLocale } from './locale.ts'
import { nextPath } from './next-path.ts'
import {
  failedHere,
  forbiddenPage,
  nothingHere,
  refusedHere,
  stalePage,
  tooManyHere,
} from './refusal-pages.tsx'
import type { MemberRequest, SignedInRequest } from './request.ts'
import type { Screen } from './screen.ts'

type Found = { readonly screen: Screen; readonly params: Params }

const find = nestedRouter<Found>(
  AREAS.map(({ at, open }) => ({ at, open: async () => (await open()).map(placeOf) })),
)

function placeOf(screen: Screen) {
  const { method, path } = screen
  return { method, path, answer: ({ params }: { readonly params: Params }): Found => ({ screen, params }) }
}

/** Forms that change nothing but where somebody is. */
const ELSEWHERE = new Set(['/console/sign-out', '/console/mode', '/console/organizations'])

/** The route that answered: the log line has its pattern alone. */
type Seen = { readonly pathname: string; route: string | null }

export async function answerConsole(
  request: Request,
  surroundings: Env,
  pathname: string,
): Promise<Response> {
  const requestId = looseId()
  const began = Date.now()
  const env = forRequest(surroundings)
  const { method } = request
  const seen: Seen = { pathname, route: null }
  const response = await answerOrFail(request, env, requestId, seen)
  const { route } = seen
  const { status } = response
  writeLine(env, env.tally, began, { event: 'page', request_id: requestId, method, route, status })
  return response
}

async function answerOrFail(request: Request, env: Env, requestId: string, seen: Seen): Promise<Response> {
  try {
    assertConfigured(env)
    const answering = async () => {
      const page = await openPage(request, env, requestId)
      return answer({ ...page, locale: consoleLocale(page, null) }, seen)
    }
    return await byDeadline(env, answering, waitUntil)
  } catch (error) {
    console.error(JSON.stringify({ request_id: requestId, cause: bareError(error).stack }))
    return failedHere(request, requestId, isPassing(error))
  }
}

async function answer(page: Page, seen: Seen): Promise<Response> {
  const { ctx } = page
  const { method } = ctx.request
  const braked = await brake(page, 'PUBLIC_LIMIT')
  if (braked) return braked
  if (method === 'POST' && !isFromOwnPage(ctx.request)) return crossSite(page)
  const found = (await find(method, page.url, {})) ?? null
  seen.route = found?.screen.path ?? null
  try {
    if (found?.screen.level === 'anonymous') {
      return await found.screen.show({ page, form: await readForm(page) }, found.params)
    }
    return await showSignedIn(page, found)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, details } = error.refusal
    if (code === 'rate_limit_exceeded') return tooManyHere(page, Number(details?.retry_after))
    if (code === 'unauthorized')
      return (await brake(page, 'FAILED_LIMIT')) ?? refusedHere({ page }, error.refusal)
    return refusedHere({ page }, error.refusal)
  }
}

/** Redirects to the sign-in page unless the request has a session. Only then the form is read, which may contain a file. */
async function showSignedIn(page: Page, found: Found | null): Promise<Response> {
  const { pathname } = page.url
  const token = sessionTokenOf(page)
  const signedIn = token === null ? null : await findSession(page.ctx.env, token, realNow())
  if (!signedIn) {
    const signInPath = `/console/sign-in${signInQuery(page.ctx.request.method, pathname)}`
    return seeOther(token === null ? page : withCookie(page, dropSession()), signInPath)
  }
  const form = await readForm(page, roomOf(found))
  const { memberships } = signedIn
  const member =
    memberships.find(({ id }) => id === signedIn.session.organizationId) ??
    (memberships.length === 1 ? memberships[0] : undefined)
  const session = { ...signedIn.session, organizationId: member?.id ?? null }
  const { env } = page.ctx
  if (env.tally) env.tally.organizationId = session.organizationId
  const signedInRequest: SignedInRequest = {
    form,
    page: { ...page, locale: consoleLocale(page, member?.memberLocale ?? null) },
    session,
    memberships,
    csrf: await formTokenOf(env, session),
  }
  if (page.ctx.request.method === 'POST' && !(await isFormTokenOf(env, session, form.get('csrf') ?? ''))) {
    return stalePage(signedInRequest)
  }
  if (found?.screen.level === 'signed-in') return found.screen.show(signedInRequest, found.params)
  if (!member) return seeOther(page, '/console/organizations')
  const { isTest } = session
  const home = homeOf(env, member.id)
  const request: MemberRequest = {
    ...signedInRequest,
    page: { ...signedInRequest.page, ctx: { ...page.ctx, env: home } },
    member,
    organizationId: member.id,
    isTest,
    now: nowAsSeen(isTest, member.sandboxNow, realNow()),
    zone: member.memberTimezone ?? member.timezone,
  }
  if (!found || found.screen.level !== undefined) return nothingHere(request)
  try {
    return await found.screen.show(request, found.params)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.refusal.code === 'not_found') return nothingHere(request)
    if (error.refusal.code === 'forbidden') return forbiddenPage(request)
    return refusedHere(request, error.refusal)
  }
}

function roomOf(found: Found | null): Room {
  return found && found.screen.level === undefined ? found.screen : {}
}

/** Says where to go after signing in, or that the form was not sent. */
function signInQuery(method: string, pathname: string): string {
  if (method !== 'GET') return ELSEWHERE.has(pathname) ? '' : '?unsent'
  const to = nextPath(pathname)
  return to === '/console' ? '' : `?next=${encodeURIComponent(to)}`
}

async function brake(page: Page, name: 'PUBLIC_LIMIT' | 'FAILED_LIMIT'): Promise<Response | null> {
  const headers = new Headers()
  const braked = await brakeNetwork(page.ctx.env, name, page.ctx.ipAddress, headers)
  return braked && tooManyHere(page, Number(headers.get('Retry-After')))
}
