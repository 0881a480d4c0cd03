import { waitUntil } from 'cloudflare:workers'
import { getPageOf } from '../booking/listing/get-page-of.ts'
import { assertConfigured, type Env } from '../env.ts'
import { bareError } from '../platform/db/bare-error.ts'
import { byDeadline } from '../platform/db/deadline.ts'
import { looseId } from '../platform/db/ids.ts'
import { isPassing } from '../platform/db/passing-failure.ts'
import { homeOf } from '../platform/db/shards.ts'
import { beginCost, endCost } from '../platform/http/cost-brake.ts'
import { Refused } from '../platform/http/errors.ts'
import { forRequest } from '../platform/http/for-request.ts'
import { brakeNetwork } from '../platform/http/network-brake.ts'
import { writeLine } from '../platform/log/write-line.ts'
import { homeOfSlug } from '../platform/names/home-of-slug.ts'
import { openPage } from './open-page.ts'
import type { Page, Params } from './page.ts'
import type { PageRoute } from './page-route.ts'
import { crossSite, failed, notAllowed, notFoundPage, refusedPage, tooMany } from './refusal-pages.tsx'
import { isFromOwnPage } from './same-site.ts'
import { SITE } from './site.ts'

export async function answerPage(request: Request, surroundings: Env, pathname: string): Promise<Response> {
  const requestId = looseId()
  const began = Date.now()
  const env = forRequest(surroundings)
  const found = find(pathname) ?? find(plainPath(pathname))
  const response = await answerOrFail(request, env, requestId, found)
  endCost(env)
  const route = found && patternOf(found.place)
  const done = {
    event: 'page',
    request_id: requestId,
    method: request.method,
    route,
    status: response.status,
  }
  writeLine(env, env.tally, began, done)
  return response
}

async function answerOrFail(
  request: Request,
  env: Env,
  requestId: string,
  found: Found | null,
): Promise<Response> {
  try {
    assertConfigured(env)
    const answering = async () => answer(await openPage(request, env, requestId), found)
    return await byDeadline(env, answering, waitUntil)
  } catch (error) {
    console.error(JSON.stringify({ request_id: requestId, cause: bareError(error).stack }))
    return failed(request, requestId, isPassing(error))
  }
}

/** `/book/:org/:event`, as routes of the API are written. */
function patternOf({ path }: PageRoute): string {
  return path.source.replace(/\(\?<(\w+)>[^)]*\)/g, ':$1').replace(/\/\?\$$|[\\^$]/g, '')
}

async function answer(page: Page, found: Found | null): Promise<Response> {
  const { ctx } = page
  const braked = await brake(page, 'PUBLIC_LIMIT')
  if (braked) return braked
  if (!found) return notFoundPage(page)
  const { method } = ctx.request
  const handler = method === 'GET' || method === 'POST' ? found.place[method] : undefined
  if (!handler) return notAllowed(page, found.place)
  if (method === 'POST' && !isFromOwnPage(ctx.request)) return crossSite(page)
  try {
    await beginCost(ctx.env, ctx.ipAddress, 'page')
    return await handler(await atHome(page, found.params), found.params)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, details } = error.refusal
    if (code === 'unauthorized') {
      return (await brake(page, 'FAILED_LIMIT')) ?? deadLink(page, found.params)
    }
    if (code === 'rate_limit_exceeded') return tooMany(page, Number(details?.retry_after))
    return code === 'not_found' ? deadLink(page, found.params) : refusedPage(page, error.refusal)
  }
}

/** A link of an email that leads nowhere any more: with the page of its event type, where there is one. */
async function deadLink(page: Page, { id }: Params): Promise<Response> {
  if (id === undefined || !/\/(bookings|waitlist|booked|waiting)\//.test(page.url.pathname))
    return notFoundPage(page)
  const { ctx } = page
  const known = await getPageOf({ ...ctx, env: homeOf(ctx.env, id) }, id)
  return notFoundPage(page, known)
}

/** With the database of what the page is about: its address names it, or the organization that has it. */
async function atHome(page: Page, { id, org }: Params): Promise<Page> {
  const { ctx } = page
  const env = org === undefined ? homeOf(ctx.env, id ?? '') : await homeOfSlug(ctx.env, org)
  return env === ctx.env ? page : { ...page, ctx: { ...ctx, env } }
}

async function brake(page: Page, name: 'PUBLIC_LIMIT' | 'FAILED_LIMIT'): Promise<Response | null> {
  const headers = new Headers()
  const braked = await brakeNetwork(page.ctx.env, name, page.ctx.ipAddress, headers)
  return braked && tooMany(page, Number(headers.get('Retry-After')))
}

/** Slugs are lower case; links that were retyped or escaped still arrive. */
function plainPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).toLowerCase()
  } catch {
    return pathname
  }
}

type Found = { readonly place: PageRoute; readonly params: Params }

function find(pathname: string): Found | null {
  for (const place of SITE) {
    const match = place.path.exec(pathname)
    if (match) return { place, params: match.groups ?? {} }
  }
  return null
}
