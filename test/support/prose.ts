import { type ESTree, parseSync, Visitor } from 'vite'

export type Prose = { readonly line: number; readonly text: string }

/** The sentences of a document, without code and the targets of links: a cell, an item or a paragraph each. */
export function proseIn(text: string): string[] {
  return text
    .replaceAll(/^ *```.*?^ *```/gms, '\n\n')
    .replaceAll(/(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)*?(?<!`)\1(?!`)/gs, 'X')
    .replaceAll(/<!--.*?-->|<\/?[a-z][^<>]*>/gis, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\\?\|/g, '\n\n')
    .replaceAll(/^(#+ .*)$/gm, '\n$1\n')
    .replaceAll(/^ *(?:[-*]|\d+\.) /gm, '\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/\s+/g, ' ').replaceAll('**', '').trim())
}

/** The comments, the texts and the titles of tests in a file of TypeScript. Texts are English sentences within code. */
export function proseOfCode(file: string, source: string): Record<'comments' | 'texts' | 'titles', Prose[]> {
  const { program, comments } = parseSync(file, source)
  const texts: Prose[] = []
  const titles: Prose[] = []
  const parts = new Set<unknown>()
  const lineAt = lineFinder(source)

  const take = (node: ESTree.Expression) => {
    const text = textOf(node)
    if (
      !parts.has(node) &&
      isSentence(text) &&
      !foreign.some(([start, end]) => node.start >= start && node.end <= end)
    ) {
      texts.push({ line: lineAt(node.start), text })
    }
  }
  // Other languages are beside English in a catalogue.
  const foreign: [number, number][] = []

  new Visitor({
    CallExpression({ callee, arguments: [first, second] }) {
      if (callee.type === 'Identifier' && callee.name === 'catalogue' && second) {
        foreign.push([second.start, second.end])
      }
      if (first && /^(?:it|describe|test)\b/.test(source.slice(callee.start, callee.end))) {
        const text = textOf(first as ESTree.Expression)
        if (text) titles.push({ line: lineAt(first.start), text })
      }
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'de') foreign.push([value.start, value.end])
    },
    BinaryExpression(node) {
      take(node)
      parts.add(node.left).add(node.right)
    },
    Literal: take,
    TemplateLiteral: take,
    JSXText({ start, value }) {
      if (isSentence(value)) texts.push({ line: lineAt(start), text: value })
    },
  }).visit(program)

  return { comments: joined(source, comments, lineAt), texts, titles }
}

/** A text with an X for each value in it. Empty if it is not a text. */
function textOf(node: ESTree.Expression | ESTree.PrivateIdentifier): string {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('X')
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return ''
  const sides = [textOf(node.left), textOf(node.right)]
  return sides.some((side) => side !== '') ? sides.map((side) => side || 'X').join('') : ''
}

const isSentence = (text: string) =>
  /[a-z]\S* \S+ \S/.test(text) &&
  !/^\s*\(?(?:SELECT|CASE|coalesce|INSERT|UPDATE|DELETE|WITH|CREATE|FROM|WHERE|AND|EXISTS|NOT)\b/.test(text)

/** Comments of lines that follow each other are one text. */
function joined(
  source: string,
  comments: readonly {
    readonly start: number
    readonly end: number
    readonly value: string
    readonly type: string
  }[],
  lineAt: (offset: number) => number,
): Prose[] {
  const all: { start: number; end: number; text: string }[] = []
  for (const { start, end, value, type } of comments) {
    const last = all.at(-1)
    if (type === 'Line' && last && /^\r?\n[ \t]*$/.test(source.slice(last.end, start))) {
      last.end = end
      last.text += `\n${value.trim()}`
    } else {
      all.push({ start, end, text: value.replaceAll(/^\s*\* ?/gm, '').trim() })
    }
  }
  return all.map(({ start, text }) => ({ line: lineAt(start), text }))
}

function lineFinder(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => {
    const after = ends.findIndex((end) => end >= offset)
    return (after === -1 ? ends.length : after) + 1
  }
}
