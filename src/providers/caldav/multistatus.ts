import { CalendarError } from '../calendar/calendar-client.ts'
import { readXml, type XmlNode } from './read-xml.ts'

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

/** The root element and its name. Throws `unusable` for what is not well-formed, or declares a document type. */
export function parseXml(text: string): { readonly name: string; readonly root: XmlNode } {
  if (/^\uFEFF?\s*<(!DOCTYPE\s+html|html)\b/i.test(text)) {
    throw new CalendarError(
      'unusable',
      'The server answers with a web page: this is no address of a CalDAV server.',
    )
  }
  const read = readXml(text)
  if (!read) throw new CalendarError('unusable', 'The server answered with XML that cannot be read.')
  return read
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
  const inner = new Map(
    found.flatMap((propstat) => childrenOf(propstat, 'prop')).flatMap((prop) => [...prop.inner]),
  )
  return {
    href: textAt(response, 'href') ?? '',
    status: statusOf(response),
    props: { text: '', inner },
  }
}

/** Of `HTTP/1.1 404 Not Found`. */
function statusOf(node: XmlNode): number | null {
  const code = /^\S+\s+(\d{3})/.exec(textAt(node, 'status') ?? '')?.[1]
  return code === undefined ? null : Number(code)
}

export function childrenOf(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  return node?.inner.get(name) ?? []
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
  return target?.text.trim() || null
}

/** Text as it is written into XML. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}
