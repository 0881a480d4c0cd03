import { parseXml as parseDocument, XmlElement, XmlText } from '@rgrove/parse-xml'
import { CalendarError } from '../calendar/calendar-client.ts'

/** What a multistatus says about one resource (RFC 4918, section 14.24). */
type DavResource = {
  readonly href: string
  /** The status of the resource itself, where there is one: 404 when it no longer exists. */
  readonly status: number | null
  /** The properties that were found. */
  readonly props: XmlElement
}

export type Multistatus = {
  readonly resources: readonly DavResource[]
  /** RFC 6578, section 6.4. */
  readonly syncToken: string | null
}

/**
 * The root element and its name without its prefix. Entities other than those of XML itself stay as they are written.
 * Throws `unusable` for what is not well-formed, or declares a document type.
 */
export function parseXml(text: string): { readonly name: string; readonly root: XmlElement } {
  if (/^\uFEFF?\s*<(!DOCTYPE\s+html|html)\b/i.test(text)) {
    throw new CalendarError(
      'unusable',
      'The server answers with a web page: this is no address of a CalDAV server.',
    )
  }
  try {
    if (!declaresType(text)) {
      const { root } = parseDocument(withoutControls(text), { ignoreUndefinedEntities: true })
      if (root) return { name: nameOf(root), root }
    }
  } catch {
    // Told below.
  }
  throw new CalendarError('unusable', 'The server answered with XML that cannot be read.')
}

const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/**
 * Some servers pass on what a program once wrote into an event, such as a vertical tab, which XML has no place for: one such
 * event must not hide all others. Line ends become plain (XML 1.0, section 2.11), at once rather than one after another.
 */
function withoutControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(NOT_XML, '')
    .replace(/&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));/gi, (whole, hex, decimal) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0x10ffff || String.fromCodePoint(code).replace(NOT_XML, '') === '' ? '' : whole
    })
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

function readResource(response: XmlElement): DavResource {
  const found = childrenOf(response, 'propstat').filter((propstat) => {
    const status = statusOf(propstat)
    return status !== null && status >= 200 && status < 300
  })
  const props = found.flatMap((propstat) => childrenOf(propstat, 'prop')).flatMap(({ children }) => children)
  return {
    href: textAt(response, 'href') ?? '',
    status: statusOf(response),
    props: new XmlElement('prop', {}, props),
  }
}

/** Of `HTTP/1.1 404 Not Found`. */
function statusOf(node: XmlElement): number | null {
  const code = /^\S+\s+(\d{3})/.exec(textAt(node, 'status') ?? '')?.[1]
  return code === undefined ? null : Number(code)
}

/** The elements of that name in an element, whatever their prefixes. */
export function childrenOf(parent: XmlElement | undefined, name: string): readonly XmlElement[] {
  const isNamed = (child: unknown) => child instanceof XmlElement && nameOf(child) === name
  return (parent?.children.filter(isNamed) ?? []) as XmlElement[]
}

export function childOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return childrenOf(parent, name)[0]
}

export function has(parent: XmlElement | undefined, name: string): boolean {
  return childOf(parent, name) !== undefined
}

/** The text of the element below the path, trimmed; null where there is none. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | null {
  const target = path.reduce(childOf, element)
  const text = target?.children.map((child) => (child instanceof XmlText ? child.text : '')).join('')
  return text?.trim() || null
}

function nameOf({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Text as it is written into XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`).replace(NOT_XML, '')
}
