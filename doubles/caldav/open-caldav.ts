import type { Call, OpenWorld, Reply } from '../world.ts'
import { writeCalendar, writeEvent } from '../write-icalendar.ts'
import { answerItem } from './answer-items.ts'
import { answerPropfind, multistatusOf } from './answer-multistatus.ts'
import { answerReport } from './answer-report.ts'
import { readDigest } from './check-digest.ts'
import { controlCaldav } from './control-caldav.ts'
import { decode, findResource, hrefOf, layoutOf, namesUsers, userOf } from './find-resource.ts'
import { challenge, refuse, refuseNothing } from './refuse.ts'
import { type Account, accountOf, type CalDav, holdServer, putItem } from './state.ts'
import { DAV, el, href } from './write-xml.ts'

/** A CalDAV server with the answers that Radicale does not have: Nextcloud unless told. */
export const openCaldav: OpenWorld = (frame) => {
  const server = holdServer(frame)
  const hour = Math.ceil(frame.now() / 3_600_000) * 3_600_000
  const at = (hours: number) => `${new Date(hour + hours * 3_600_000).toISOString().slice(0, 19)}Z`
  for (const email of ['owner@example.com', 'colleague@example.com']) {
    const { collections } = accountOf(server, email)
    for (const [id, summary, hours] of [
      ['personal', 'Dentist', 26],
      ['work', 'Planning', 50],
      ['team_shared_by_colleague', 'All hands', 74],
    ] as const) {
      const event = writeEvent(
        { uid: `${id}-1@double`, summary, start: at(hours), end: at(hours + 1) },
        frame.now(),
      )
      putItem(collections.get(id)!, `${id}-1.ics`, writeCalendar([event]), frame.now())
    }
  }
  return { answer: (call) => answerCaldav(server, call), control: (call) => controlCaldav(server, call) }
}

function answerCaldav(server: CalDav, call: Call): Reply {
  const { settings } = server
  const { root } = layoutOf(settings.server, accountOf(server, 'owner@example.com'))
  if (settings.isInMaintenance) return maintain(server)
  // RFC 6764 5; docs.nextcloud.com/server/latest/admin_manual (service discovery)
  if (/^(\/nextcloud)?\/\.well-known\/caldav\/?$/.test(call.path))
    return { status: 301, headers: { Location: hrefOf(call, root) } }
  // What is not below remote.php is web pages, which know no PROPFIND; SOGo has its own for every path and method.
  if (!`${decode(call.path)}/`.startsWith(root))
    return {
      status: settings.server === 'sogo' ? 200 : 405,
      html: '<!DOCTYPE html><html><head><title>Error</title></head><body>405</body></html>',
    }
  if (isOpen(server, call, root)) return answerAnonymous(server, call)
  const { account, isStale } = authenticate(server, call)
  if (!account) return challenge(server, isStale)
  if (settings.refuseNext > 0) {
    // nextcloud/server#36431, nextcloud/server#8011
    settings.refuseNext--
    return challenge(server)
  }
  return answerResource(server, account, call)
}

function answerResource(server: CalDav, account: Account, call: Call): Reply {
  const resource = findResource(server, account, call.path)
  if (call.method === 'OPTIONS')
    return {
      status: 200,
      headers: {
        DAV: '1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, calendar-access, calendar-auto-schedule, nc-calendar-trashbin',
        Allow: 'OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, REPORT',
      },
    }
  if (resource.type === 'nothing') return refuseNothing(server, call.path)
  const away = 'collection' in resource ? resource.collection.awayStatus : null
  if (away === 404) return refuseNothing(server, call.path)
  if (away === 410) return refuse(server, 410, 'Gone', 'Gone')
  const isMissing = 'name' in resource && !resource.collection.items.has(resource.name)
  switch (call.method) {
    case 'PROPFIND':
      return isMissing
        ? refuseNothing(server, call.path)
        : answerPropfind({ server, account, call }, resource)
    case 'REPORT':
      return answerReport({ server, account, call }, resource)
    default:
      if ('name' in resource) return answerItem({ server, account, call }, resource.collection, resource.name)
      return refuse(server, 405, 'MethodNotAllowed', `The method ${call.method} is not allowed here`)
  }
}

/** What Cyrus says of itself to those who have not signed in, and of nothing below: imap/http_caldav.c. */
function isOpen({ settings }: CalDav, { headers, method, path }: Call, root: string): boolean {
  const isRoot = `${decode(path)}/`.replace(/\/+$/, '/') === root
  return settings.server === 'cyrus' && isRoot && method === 'PROPFIND' && headers.authorization === undefined
}

/** RFC 5397 3 */
function answerAnonymous(server: CalDav, call: Call): Reply {
  const principal = el(`${DAV}current-user-principal`, el(`${DAV}unauthenticated`))
  const status = el(`${DAV}status`, 'HTTP/1.1 200 OK')
  const propstat = el(`${DAV}propstat`, el(`${DAV}prop`, principal), status)
  const response = el(`${DAV}response`, href(hrefOf(call, call.path)), propstat)
  return multistatusOf(server, [response])
}

/** UTF-8 before Base64. */
function authenticate(server: CalDav, call: Call): { account: Account | null; isStale: boolean } {
  const { auth, server: kind, password: right } = server.settings
  const digest = auth.includes('Digest') ? readDigest(server, call) : null
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(call.headers.authorization ?? '') ?? []
  const decoded = auth.includes('Basic') ? Buffer.from(encoded, 'base64').toString() : ''
  const colon = decoded.indexOf(':')
  const username = digest?.username ?? decoded.slice(0, Math.max(colon, 0))
  const isRight = digest ? digest.isRight && !digest.isStale : decoded.slice(colon + 1) === right
  const account = [...server.accounts.values()].find(
    (one) => one.email === username || (namesUsers(kind) && userOf(kind, one) === username),
  )
  const isIn = account !== undefined && isRight && !account.hasEnded
  return { account: isIn ? account : null, isStale: digest?.isStale ?? false }
}

/** nextcloud/server apps/dav/lib/Connector/Sabre/MaintenancePlugin.php; owncloud/core#25642. It sends no Retry-After. */
function maintain(server: CalDav): Reply {
  return refuse(server, 503, 'ServiceUnavailable', 'System in maintenance mode.')
}
