/** An XML element: its own text, and what is in it by name, children (`href`) as well as attributes (`@name`). */
export type XmlNode = {
  readonly text: string
  readonly inner: ReadonlyMap<string, readonly XmlNode[]>
}

type OpenNode = { text: string; readonly inner: Map<string, XmlNode[]> }

const NAME = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]*`
const ATTRIBUTE = String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`
const WHOLE_ATTRIBUTE = ATTRIBUTE.replaceAll(/\((?!\?)/g, '(?:')

/** Begins where the last one ended, so nothing is read twice, also where something never ends. */
const TOKEN = new RegExp(
  [
    '<!--[^]*?-->',
    String.raw`<\?[^]*?\?>`,
    String.raw`<!\[CDATA\[(?<cdata>[^]*?)\]\]>`,
    String.raw`</(?<closed>${NAME})\s*>`,
    String.raw`<(?<opened>${NAME})(?<attributes>(?:${WHOLE_ATTRIBUTE})*)\s*(?<empty>/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'uy',
)

const BARE_AMPERSAND = /&(?!(?:#x[\da-f]+|#\d+|\w+);)/i

/**
 * The root element and its name, prefixes dropped; null for what is not well-formed, or declares a document type: no entity
 * is expanded except those of XML itself.
 */
export function readXml(given: string): { readonly name: string; readonly root: XmlNode } | null {
  const text = given.replace(/\r\n?/g, '\n')
  const document = openNode()
  const open: { readonly name: string; readonly node: OpenNode }[] = [{ name: '', node: document }]
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)
    if (!token) return null
    at = TOKEN.lastIndex
    const { node } = open.at(-1)!
    const { cdata, closed, opened, attributes = '', empty, text: plain } = token.groups!
    if (plain !== undefined) {
      if (BARE_AMPERSAND.test(plain)) return null
      node.text += decode(plain)
    } else if (cdata !== undefined) {
      node.text += cdata
    } else if (closed !== undefined) {
      if (open.length === 1 || open.pop()!.name !== closed) return null
    } else if (opened !== undefined) {
      if (node === document && document.inner.size > 0) return null
      const child = openNode()
      readAttributes(child, attributes)
      put(node, localName(opened), child)
      if (!empty) open.push({ name: opened, node: child })
    }
  }
  const [root] = document.inner
  if (open.length > 1 || !root || document.text.trim() !== '') return null
  return { name: root[0], root: root[1][0]! }
}

function openNode(): OpenNode {
  return { text: '', inner: new Map() }
}

function readAttributes(node: OpenNode, attributes: string): void {
  for (const [, name, double, single] of attributes.matchAll(new RegExp(ATTRIBUTE, 'gu'))) {
    if (name!.startsWith('xmlns:')) continue
    put(node, `@${localName(name!)}`, { text: decode(double ?? single!), inner: new Map() })
  }
}

function put({ inner }: OpenNode, name: string, child: XmlNode): void {
  const others = inner.get(name)
  if (others) others.push(child)
  else inner.set(name, [child])
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
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
