/** An element by its Clark name, such as `{DAV:}prop`. */
export type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

type Open = {
  name: string
  qualified: string
  attributes: Record<string, string>
  children: Element[]
  text: string
  namespaces: Record<string, string>
}

const TOKEN =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** As much of XML as CalDAV needs; null if it is not XML. Line ends become LF: XML 1.0, 2.11. */
export function readXml(document: string): Element | null {
  const text = document.replace(/\r\n?/g, '\n')
  const root: Open = { name: '', qualified: '', attributes: {}, children: [], text: '', namespaces: {} }
  const open = [root]
  for (const [, data, closing, qualified, attributes = '', isEmpty, letters] of text.matchAll(TOKEN)) {
    const current = open.at(-1)!
    if (letters !== undefined || data !== undefined) current.text += data ?? unescapeXml(letters!)
    if (qualified === undefined) continue
    if (closing) {
      if (open.length < 2 || current.qualified !== qualified) return null
      open.pop()
      continue
    }
    const element = begin(current, qualified, attributes)
    if (element === null) return null
    current.children.push(element)
    if (!isEmpty) open.push(element)
  }
  return open.length === 1 && root.children.length === 1 ? root.children[0]! : null
}

export function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name)
}

function begin(parent: Open, qualified: string, text: string): Open | null {
  const namespaces = { ...parent.namespaces }
  const attributes: Record<string, string> = {}
  for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
    const value = unescapeXml(double ?? single ?? '')
    if (name === 'xmlns') namespaces[''] = value
    else if (name!.startsWith('xmlns:')) namespaces[name!.slice(6)] = value
    else attributes[name!] = value
  }
  const [prefix, local] = qualified.includes(':') ? qualified.split(':') : ['', qualified]
  const namespace = namespaces[prefix!]
  if (namespace === undefined && prefix !== '') return null
  return {
    name: `{${namespace ?? ''}}${local}`,
    qualified,
    attributes,
    children: [],
    text: '',
    namespaces,
  }
}

function unescapeXml(text: string): string {
  const known: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
  return text.replace(/&(#x?)?(\w+);/g, (whole, numeric, name) => {
    if (numeric) return String.fromCodePoint(Number.parseInt(name, numeric === '#x' ? 16 : 10))
    return known[name] ?? whole
  })
}
