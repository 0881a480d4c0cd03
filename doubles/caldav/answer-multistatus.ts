import type { Reply } from '../world.ts'
import { hrefOf, type Resource } from './find-resource.ts'
import { type Context, listed, propertiesOf } from './list-properties.ts'
import { childOf, type Element, readXml } from './read-xml.ts'
import { refuse } from './refuse.ts'
import type { CalDav } from './state.ts'
import { DAV, el, href, type Node, writeXml } from './write-xml.ts'

/** Null for all that there are. */
export type Wanted = readonly string[] | null

export function wantedIn(element: Element | undefined): Wanted {
  return childOf(element, `${DAV}prop`)?.children.map(({ name }) => name) ?? null
}

/** PROPFIND; a depth without end is taken for one: sabre-io/dav lib/DAV/CorePlugin.php */
export function answerPropfind(context: Context, resource: Resource): Reply {
  const { call, server } = context
  const request = call.body.trim() === '' ? undefined : readXml(call.body)
  if (request === null) return refuse(server, 400, 'BadRequest', 'The request body is not XML')
  const responses = listed(context, resource, call.headers.depth !== '0').map(([path, one]) =>
    responseOf(context, path, one, wantedIn(request)),
  )
  return multistatus(context, responses)
}

export function responseOf(context: Context, path: string, resource: Resource, wanted: Wanted): Node {
  const all = propertiesOf(context, resource)
  const names = wanted ?? [...all.keys()].filter((name) => !name.endsWith('}calendar-data'))
  const found = names.flatMap((name) => all.get(name) ?? [])
  const missing = names.filter((name) => !all.has(name)).map((name) => el(name))
  return el(
    `${DAV}response`,
    href(hrefOf(context.call, path)),
    ...(found.length > 0 || missing.length === 0 ? [propstat(found, 'HTTP/1.1 200 OK')] : []),
    ...(missing.length > 0 ? [propstat(missing, 'HTTP/1.1 404 Not Found')] : []),
  )
}

/** One member that is not there, or an answer that was cut off there. */
export function statusOf(context: Context, path: string, status: string): Node {
  return el(`${DAV}response`, href(hrefOf(context.call, path)), el(`${DAV}status`, `HTTP/1.1 ${status}`))
}

/**
 * The content type does not say what the body is: Open-Xchange sends text/html (python-caldav/caldav#142), so do others
 * (tchapi/davis#8), iCloud text/plain or nothing (emersion/go-webdav#131, python-caldav's davclient).
 */
export function multistatus({ server }: Context, responses: readonly Node[], token?: string): Reply {
  return multistatusOf(server, responses, token)
}

export function multistatusOf(server: CalDav, responses: readonly Node[], token?: string): Reply {
  const { server: kind, contentType } = server.settings
  const own = {
    nextcloud: 'application/xml; charset=utf-8',
    sabredav: 'application/xml; charset=utf-8',
    'open-xchange': 'text/html;charset=UTF-8',
    icloud: 'text/plain',
    sogo: 'text/xml; charset="utf-8"',
    cyrus: 'application/xml; charset=utf-8',
  }
  const type = contentType ?? own[kind]
  const root = el(`${DAV}multistatus`, ...responses, ...(token ? [el(`${DAV}sync-token`, token)] : []))
  return {
    status: 207,
    body: writeXml(kind, root),
    headers: {
      ...(type && { 'Content-Type': type }),
      DAV: '1, 3, extended-mkcol, access-control, calendar-access',
    },
  }
}

function propstat(properties: readonly Node[], status: string): Node {
  return el(`${DAV}propstat`, el(`${DAV}prop`, ...properties), el(`${DAV}status`, status))
}
