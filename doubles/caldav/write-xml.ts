import type { Kind } from './state.ts'

export const DAV = '{DAV:}'
export const CAL = '{urn:ietf:params:xml:ns:caldav}'
export const CS = '{http://calendarserver.org/ns/}'
export const NC = '{http://nextcloud.com/ns}'
export const SABRE = '{http://sabredav.org/ns}'
export const GROUPDAV = '{http://groupdav.org/}'
export const APPLE = '{http://apple.com/ns/ical/}'

export type Node = {
  readonly name: string
  readonly children: readonly (Node | string)[]
  readonly attributes: Readonly<Record<string, string>>
}

export function el(name: string, ...children: (Node | string)[]): Node {
  return { name, children, attributes: {} }
}

export function href(url: string): Node {
  return el(`${DAV}href`, url)
}

/** sabre-io/dav lib/DAV/Server.php; pbek/QOwnNotes#1030 (Open-Xchange) */
const PREFIXES: Readonly<Record<Exclude<Kind, 'icloud'>, Readonly<Record<string, string>>>> = {
  sabredav: { [DAV]: 'd', [CAL]: 'cal', [CS]: 'cs', [SABRE]: 's', [APPLE]: 'x1', [NC]: 'x2' },
  nextcloud: { [DAV]: 'd', [CAL]: 'cal', [CS]: 'cs', [SABRE]: 's', [NC]: 'nc', [APPLE]: 'x1' },
  sogo: { [DAV]: 'D', [CAL]: 'a' },
  cyrus: { [DAV]: 'D', [CAL]: 'C', [CS]: 'CS', [APPLE]: 'A' },
  'open-xchange': { [DAV]: 'D', [APPLE]: 'APPLE', [CAL]: 'CAL', [CS]: 'CS', [NC]: 'NC', [SABRE]: 'S' },
}

/** iCloud names no prefixes, a default namespace at each element instead: emersion/go-webdav#61 */
export function writeXml(kind: Kind, root: Node): string {
  const head = `<?xml version="1.0" encoding="UTF-8"?>${kind === 'open-xchange' ? '\r\n' : '\n'}`
  if (kind === 'icloud') return `${head}${unprefixed(root)}`
  const prefixes = PREFIXES[kind]
  const declared = Object.entries(prefixes).map(([name, prefix]) => ` xmlns:${prefix}="${bare(name)}"`)
  return head + prefixed(root, prefixes, declared.join(''))
}

function prefixed(node: Node, prefixes: Readonly<Record<string, string>>, declared = ''): string {
  const [namespace, local] = parts(node.name)
  const prefix = prefixes[namespace]
  const name = prefix ? `${prefix}:${local}` : local
  const own = prefix ? declared : `${declared} xmlns="${bare(namespace)}"`
  return tag(node, name, own, (child) => prefixed(child, prefixes))
}

function unprefixed(node: Node): string {
  const [namespace, local] = parts(node.name)
  return tag(node, local, ` xmlns="${bare(namespace)}"`, unprefixed)
}

function tag(node: Node, name: string, declared: string, write: (child: Node) => string): string {
  const attributes = Object.entries(node.attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const open = `<${name}${declared}${attributes.join('')}`
  if (node.children.length === 0) return `${open}/>`
  const content = node.children.map((child) => (typeof child === 'string' ? escapeXml(child) : write(child)))
  return `${open}>${content.join('')}</${name}>`
}

/** A CR has to be written so, or who reads it gets LF alone: XML 1.0, 2.11. SabreDAV does. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

function parts(name: string): [string, string] {
  const end = name.indexOf('}') + 1
  return [name.slice(0, end), name.slice(end)]
}

function bare(namespace: string): string {
  return namespace.slice(1, -1)
}
