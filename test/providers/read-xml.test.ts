import { expect, it } from 'vitest'
import { escapeXml } from '../../src/providers/caldav/multistatus.ts'
import { readXml, type XmlNode } from '../../src/providers/caldav/read-xml.ts'
import { fc, runs } from '../support/fast-check.ts'

/** What an element says: its name without a prefix, an attribute, its text, and what is in it, in the order of names. */
type Told = { name: string; id: string | null; text: string; children: readonly Told[] }

/** As XML can write it at all, with its ends of lines. */
const words = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(']]', '&amp;', '<b>', '\r\n', '\u{1F600}'),
  )
  .map((text) => text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))
  .map((text) => text.replace(/\r\n?/g, '\n'))

const { element: elements } = fc.letrec<{ element: Told }>((tie) => ({
  element: fc.record({
    name: fc.constantFrom('href', 'prop-stat', 'Ä', 'x.1', '__proto__'),
    id: fc.option(words),
    text: words,
    children: fc
      .oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('element'), { maxLength: 3 }))
      .map((children) => children.toSorted(byName)),
  }),
}))

function byName(a: Told, b: Told): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** Written in one of the ways in which XML can say the same. */
function written({ name, id, text, children }: Told, way: number): string {
  const tag = way % 2 ? name : `cal:${name}`
  const attribute =
    id === null
      ? ''
      : way % 3
        ? ` id="${escapeXml(id)}"`
        : `\r\n\tx:id = '${escapeXml(id).replaceAll("'", '&apos;')}' `
  const inner = [
    way % 5 ? escapeXml(text) : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`,
    ...children.map((child) => `${written(child, way)}<!-- <x> & -->`),
  ].join('')
  return inner === '' ? `<${tag}${attribute}/>` : `<${tag} xmlns:id="y"${attribute}>${inner}</${tag}\n>`
}

function toldOf(name: string, { text, inner }: XmlNode): Told {
  const id = inner.get('@id')?.[0]?.text ?? null
  const children = [...inner].filter(([one]) => !one.startsWith('@'))
  return {
    name,
    id,
    text,
    children: children.flatMap(([one, all]) => all.map((child) => toldOf(one, child))),
  }
}

it('reads whatever XML can say, however it is written', () => {
  fc.assert(
    fc.property(elements, fc.nat(30), (element, way) => {
      const read = readXml(`\uFEFF<?xml version="1.0"?>\r\n<!-- a -->${written(element, way)}\n<?end?>`)
      expect(read && toldOf(read.name, read.root)).toEqual(element)
    }),
    runs(300),
  )
})

it.each([
  ['nothing', ''],
  ['no element', 'hi'],
  ['an element that does not end', '<a><b></b>'],
  ['an element that ends as another', '<a><b></a></b>'],
  ['an element that ends as another with its name', '<d:a></e:a>'],
  ['an end without a beginning', '<a/></a>'],
  ['two roots', '<a/><b/>'],
  ['text beside the root', '<a/>b'],
  ['a section beside the root', '<![CDATA[b]]><a/>'],
  ['a tag that does not end', '<a><b</a>'],
  ['a name that is none', '<1a></1a>'],
  ['an attribute without quotes', '<a b=c/>'],
  ['an attribute without a value', '<a b/>'],
  ['a bare ampersand', '<a>b & c</a>'],
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['a comment that does not end', '<a/><!-- '],
])('reads nothing of %s', (_, text) => {
  expect(readXml(text)).toBeNull()
})

it('leaves an entity that is not of XML itself as it stands', () => {
  expect(readXml('<a>&nbsp;&lt;&#x41;</a>')?.root.text).toBe('&nbsp;<A')
})
