import type { Reply } from '../world.ts'
import { digestChallenges } from './check-digest.ts'
import type { CalDav, Kind } from './state.ts'
import { DAV, el, type Node, SABRE, writeXml } from './write-xml.ts'

/** An error as SabreDAV writes it, with the name of its exception and maybe a precondition. sabre.io/dav */
export function refuse(
  server: CalDav,
  status: number,
  exception: string,
  message: string,
  ...conditions: Node[]
): Reply {
  const kind = server.settings.server
  if (kind === 'nextcloud' || kind === 'sabredav') {
    const error = el(
      `${DAV}error`,
      el(`${SABRE}exception`, `Sabre\\DAV\\Exception\\${exception}`),
      el(`${SABRE}message`, message),
      ...conditions,
    )
    return xml(status, writeXml(kind, error))
  }
  // RFC 4918 8.7 and 16: a body only where there is a condition to name.
  if (conditions.length > 0) return xml(status, writeXml(kind, el(`${DAV}error`, ...conditions)))
  return { status, body: `<html><body><h1>${status} ${message}</h1></body></html>`, headers: HTML }
}

const HTML = { 'Content-Type': 'text/html;charset=UTF-8' }

function xml(status: number, body: string): Reply {
  return { status, body, headers: { 'Content-Type': 'application/xml; charset=utf-8' } }
}

export function refuseNothing(server: CalDav, path: string): Reply {
  return refuse(
    server,
    404,
    'NotFound',
    `Node with name '${path.split('/').filter(Boolean).at(-1)}' could not be found`,
  )
}

/** iCloud names a scheme before Basic that nobody else has (home-assistant/core#91711); SOGo writes it small. */
const BASIC: Readonly<Record<Kind, string>> = {
  nextcloud: 'Basic realm="Nextcloud", charset="UTF-8"',
  sabredav: 'Basic realm="BaikalDAV", charset="UTF-8"',
  'open-xchange': 'Basic realm="OX WebDAV", encoding="UTF-8"',
  icloud: 'X-MobileMe-AuthToken realm="MMCalDav", Basic realm="MMCalDav"',
  sogo: 'basic realm="SOGo"',
  cyrus: 'Basic realm="Cyrus"',
}

export function challenge(server: CalDav, isStale = false): Reply {
  const { auth, server: kind } = server.settings
  const offers = auth.flatMap((scheme) => {
    if (scheme === 'Digest') return digestChallenges(server, isStale)
    return scheme === 'Basic' ? BASIC[kind] : `${scheme} realm="double"`
  })
  const reply = refuse(
    server,
    401,
    'NotAuthenticated',
    "No public access to this resource., No 'Authorization: Basic' header found. Either the client didn't send one, or the server is misconfigured",
  )
  const header = offers.length > 0 ? { 'WWW-Authenticate': offers.join(', ') } : {}
  return { ...reply, headers: { ...reply.headers, ...header } }
}

/** RFC 3744 7.1.1; sabre-io/dav lib/DAVACL/Exception/NeedPrivileges.php */
export function refusePrivilege(server: CalDav, url: string, privilege: string): Reply {
  return refuse(
    server,
    403,
    'Forbidden',
    `User did not have the required privileges ({DAV:}${privilege}) for path "${url}"`,
    el(
      `${DAV}need-privileges`,
      el(`${DAV}resource`, el(`${DAV}href`, url), el(`${DAV}privilege`, el(`${DAV}${privilege}`))),
    ),
  )
}
