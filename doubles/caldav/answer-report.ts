import type { Reply } from '../world.ts'
import { multistatus, responseOf, statusOf, type Wanted, wantedIn } from './answer-multistatus.ts'
import { findResource, hasTrash, hrefOf, pathOf, type Resource } from './find-resource.ts'
import { type Context, tokenOf } from './list-properties.ts'
import { overlaps, type TimeRange, timeRangeOf } from './overlap-times.ts'
import { childOf, type Element, readXml } from './read-xml.ts'
import { refuse } from './refuse.ts'
import type { Collection } from './state.ts'
import { CAL, DAV, el, type Node } from './write-xml.ts'

export function answerReport(context: Context, resource: Resource): Reply {
  const { call, server } = context
  const request = readXml(call.body)
  if (request === null) return refuse(server, 400, 'BadRequest', 'The request body is not XML')
  const isCalendar =
    (resource.type === 'collection' && resource.collection.type === 'calendar') || resource.type === 'trashed'
  if (!isCalendar || !('collection' in resource)) return unsupported(context)
  switch (request.name) {
    case `${CAL}calendar-multiget`:
      return multiget(context, request)
    case `${CAL}calendar-query`:
      return query(context, resource.collection, request)
    case `${DAV}sync-collection`:
      if (server.settings.tokenRefusal === null || resource.type === 'trashed') return unsupported(context)
      return sync(context, resource.collection, request)
    default:
      return unsupported(context)
  }
}

/** Some servers have no sync-collection and say 403: alainm23/planify#2368 */
function unsupported({ server }: Context): Reply {
  return refuse(
    server,
    server.settings.server === 'open-xchange' ? 403 : 415,
    'ReportNotSupported',
    'The specified report is not supported on this url.',
    el(`${DAV}supported-report`),
  )
}

function multiget(context: Context, request: Element): Reply {
  const { server, account, call } = context
  const prefix = new URL(call.base).pathname
  const responses = request.children
    .filter(({ name }) => name === `${DAV}href`)
    .map(({ text }) => {
      const { pathname } = new URL(text.trim(), call.base)
      const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname
      const one = findResource(server, account, path)
      const isThere = one.type.endsWith('item') && 'name' in one && one.collection.items.has(one.name)
      return isThere
        ? responseOf(context, path, one, wantedIn(request))
        : statusOf(context, path, '404 Not Found')
    })
  const isMissing = responses.some(({ children }) =>
    children.some((child) => typeof child !== 'string' && child.name === `${DAV}status`),
  )
  // SabreDAV until 1.8: lib/DAV/Server.php (getPropertiesForMultiplePaths came with 2.0)
  if (isMissing && server.settings.multigetMissing === 404)
    return refuse(server, 404, 'NotFound', 'Calendar object not found')
  return multistatus(context, responses)
}

function query(context: Context, collection: Collection, request: Element): Reply {
  const calendar = childOf(childOf(request, `${CAL}filter`), `${CAL}comp-filter`)
  const component = childOf(calendar, `${CAL}comp-filter`)
  const range = timeRangeOf(childOf(component, `${CAL}time-range`)?.attributes)
  const names = [...collection.items]
    .filter(([, { text }]) => matches(text, component, range))
    .map(([name]) => name)
  return multistatus(
    context,
    names.map((name) => memberOf(context, collection, name, wantedIn(request))),
  )
}

function matches(text: string, component: Element | undefined, range: TimeRange | null): boolean {
  const name = component?.attributes.name
  if (name !== undefined && !text.includes(`BEGIN:${name}`)) return false
  return range === null || overlaps(text, range)
}

function memberOf(context: Context, collection: Collection, name: string, wanted: Wanted): Node {
  const type = collection.type === 'trash' ? 'trashed item' : 'item'
  return responseOf(
    context,
    pathOf(context.server, context.account, collection, name),
    { type, collection, name },
    wanted,
  )
}

/** RFC 6578. */
function sync(context: Context, collection: Collection, request: Element): Reply {
  const { server, account } = context
  const { settings } = server
  const given = childOf(request, `${DAV}sync-token`)?.text.trim() ?? ''
  const limit = Number(childOf(childOf(request, `${DAV}limit`), `${DAV}nresults`)?.text ?? 0)
  // nextcloud/server apps/dav/lib/Exception/UnsupportedLimitOnInitialSyncException.php
  if (given === '' && limit > 0 && settings.server === 'nextcloud')
    return refuse(
      server,
      507,
      'InsufficientStorage',
      'Limit on initial sync is not supported',
      el(`${DAV}number-of-matches-within-limits`),
    )
  const known = given === '' ? 0 : revisionOf(context, collection, given)
  if (known === null && settings.unknownToken === 'refusal') return refuseToken(context)
  // DAViCal begins anew (inc/caldav-REPORT-sync-collection.php), SabreDAV lists what is later than a number (lib/CalDAV/Backend/PDO.php).
  const isAll = given === '' || (known === null && settings.unknownToken === 'everything')
  const since = known ?? (isAll ? 0 : Number.POSITIVE_INFINITY)
  const changes = [...collection.changes]
    .filter(([, { revision, isGone }]) => revision > since && !(isGone && isAll))
    .sort(([, one], [, other]) => one.revision - other.revision)
  const most = Math.min(limit || Number.POSITIVE_INFINITY, settings.syncLimit ?? Number.POSITIVE_INFINITY)
  const told = changes.slice(0, most)
  const path = (name: string) => pathOf(server, account, collection, name)
  const responses = told.map(([name, { isGone }]) =>
    isGone
      ? statusOf(context, path(name), '404 Not Found')
      : memberOf(context, collection, name, wantedIn(request)),
  )
  // What is in the trash comes with the first sync, as if it were not: nextcloud/server#44127
  if (given === '' && settings.syncsTrash && hasTrash(server))
    for (const name of collection.trash.keys())
      responses.push(
        responseOf(
          context,
          path(name),
          { type: 'item', collection: { ...collection, items: collection.trash }, name },
          wantedIn(request),
        ),
      )
  // Cut off: the collection itself is 507, and the token is of what was told. RFC 6578 3.6, sabre-io/dav#1248
  const isCut = told.length < changes.length
  if (isCut) responses.push(statusOf(context, path(''), '507 Insufficient Storage'))
  const revision = isCut ? told.at(-1)![1].revision : collection.revision
  return multistatus(context, responses, tokenOf(settings.server, collection, revision))
}

function revisionOf({ server }: Context, collection: Collection, token: string): number | null {
  const revision = Number(/\d+$/.exec(token)?.[0] ?? Number.NaN)
  const isOurs = tokenOf(server.settings.server, collection, revision) === token
  const isKnown = revision >= collection.oldestRevision && revision <= collection.revision
  return isOurs && isKnown ? revision : null
}

/**
 * 403 with `valid-sync-token` at SabreDAV (lib/DAV/Exception/InvalidSyncToken.php, sabre-io/dav#1490); a precondition may come
 * with 409 (RFC 3253 1.6); 507 was seen: python-caldav/caldav#340.
 */
function refuseToken({ server, call }: Context): Reply {
  const status = server.settings.tokenRefusal!
  if (status === 507)
    return refuse(server, 507, 'InsufficientStorage', `Cannot sync ${hrefOf(call, call.path)}`)
  return refuse(
    server,
    status,
    'InvalidSyncToken',
    'Invalid or unknown sync token',
    el(`${DAV}valid-sync-token`),
  )
}
