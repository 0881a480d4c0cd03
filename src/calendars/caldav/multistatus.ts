import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { TooLongAnswer } from '../client/read-body.ts'

/** An XML element: its text, attributes (`@name`) and children, which are lists when there are several. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] }

/** What a multistatus says about one resource (RFC 4918, section 14.24). */
export type DavResource = {
  readonly href: string
  /** The status of the resource itself, where there is one: 404 when it no longer exists. */
  readonly status: number | null
  /** The properties that were found. */
  readonly props: XmlNode
}

export type Multistatus = {
  readonly resources: readonly DavResource[]
  /** RFC 6578, section 6.4. */
  readonly syncToken: string | null
}

/** Prefixes are dropped. No entity is expanded except those of XML itself, which `textOf` does. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/** A list of 25,000 events has 300,000. Elements take many times the memory of their text, which one answer must not use up. */
const MOST_TAGS = 500_000

/**
 * The root element and its name. Throws `unusable` for what is not well-formed, or declares a document type, and TooLongAnswer
 * for more tags than fit into memory.
 */
export function parseXml(text: string): { readonly name: string; readonly root: XmlNode } {
  if (/^\uFEFF?\s*<(!DOCTYPE\s+html|html)\b/i.test(text)) {
    throw new CalendarError(
      'unusable',
      'The server returns a web page: this is not the address of a CalDAV server.',
    )
  }
  if (hasMoreTags(text, MOST_TAGS)) throw new TooLongAnswer()
  try {
    if (!declaresType(text) && XMLValidator.validate(text) === true) {
      const parsed: Readonly<Record<string, XmlNode>> = parser.parse(text)
      const name = Object.keys(parsed).find((key) => !key.startsWith('#'))
      if (name !== undefined) return { name, root: parsed[name]! }
    }
  } catch {
    // Handled below.
  }
  throw new CalendarError('unusable', 'The server answered with XML that cannot be read.')
}

function hasMoreTags(text: string, most: number): boolean {
  let tags = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) if (++tags > most) return true
  return false
}

/** Reads each character once: a pattern would read the rest again for every CDATA section that does not end. */
function declaresType(text: string): boolean {
  for (let at = 0; ; ) {
    const section = text.indexOf('<![CDATA[', at)
    if (/<!DOCTYPE/i.test(text.slice(at, section === -1 ? undefined : section))) return true
    const end = section === -1 ? -1 : text.indexOf(']]>', section)
    if (end === -1) return false
    at = end + 3
  }
}

export function readMultistatus(text: string): Multistatus {
  const { name, root } = parseXml(text)
  if (name !== 'multistatus') {
    throw new CalendarError('unusable', 'The server did not answer with a multistatus.')
  }
  return {
    resources: childrenOf(root, 'response').map(readResource),
    syncToken: textAt(root, 'sync-token'),
  }
}

function readResource(response: XmlNode): DavResource {
  const found = childrenOf(response, 'propstat').filter((propstat) => {
    const status = statusOf(propstat)
    return status !== null && status >= 200 && status < 300
  })
  const props = found.flatMap((propstat) => childrenOf(propstat, 'prop'))
  return {
    href: textAt(response, 'href') ?? '',
    status: statusOf(response),
    props: Object.fromEntries(
      props.flatMap((prop) => (typeof prop === 'string' ? [] : Object.entries(prop))),
    ),
  }
}

/** Of `HTTP/1.1 404 Not Found`. */
function statusOf(node: XmlNode): number | null {
  const code = /^\S+\s+(\d{3})/.exec(textAt(node, 'status') ?? '')?.[1]
  return code === undefined ? null : Number(code)
}

export function childrenOf(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  if (node === undefined || typeof node === 'string' || !Object.hasOwn(node, name)) return []
  const child = node[name]!
  return Array.isArray(child) ? child : [child as XmlNode]
}

export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return childrenOf(node, name)[0]
}

export function has(node: XmlNode | undefined, name: string): boolean {
  return childrenOf(node, name).length > 0
}

/** The text below the path, trimmed; null where there is none. */
export function textAt(node: XmlNode | undefined, ...path: readonly string[]): string | null {
  const target = path.reduce<XmlNode | undefined>((parent, name) => childOf(parent, name), node)
  const text = target === undefined ? '' : textOf(target).trim()
  return text === '' ? null : text
}

function textOf(node: XmlNode): string {
  if (typeof node === 'string') return decode(node)
  const pieces = (name: string) => childrenOf(node, name).filter((piece) => typeof piece === 'string')
  return [...pieces('#text').map(decode), ...pieces('#cdata')].join('')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex, decimal, name) => {
      if (name) return ENTITIES[name.toLowerCase()]!
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** Text as it is written into XML. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}
