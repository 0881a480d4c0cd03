import { readFileSync, writeFileSync } from 'node:fs'
import { type MappedLine, readMapped, writeMapped } from './mapped-lines.ts'
import { withoutNeedlessCalls } from './needless-calls.ts'
import { inSimilarOrder } from './similar-order.ts'

// What wrangler bundled, before it minifies it: an upload is a tenth smaller afterwards, and its source map still fits.

/**
 * SQL is indented for its readers. A line that begins with one of these words is inside a statement: code is never written like
 * that.
 */
const CONTINUED =
  /^ +(?=(?:AND|CASE|CROSS|DELETE|ELSE|END|EXISTS|FROM|GROUP|INSERT|JOIN|LEFT|LIMIT|NOT|ON|OR|ORDER|RETURNING|SELECT|SET|THEN|UNION|UPDATE|VALUES|WHEN|WHERE) (?!=))/

/** esbuild wraps each file that waits in a method named by its path. Nothing calls it by that name. */
const WRAPPER_NAME = /^ {2}"(?:src|node_modules|test)\/[^"]+"\(/

/** A module is strict anyway. */
const STRICT = /^ {4}"use strict";$/

const SECTION = /^\/\/ (?:src|test|node_modules)\/\S+$/

const [bundle] = process.argv.slice(2)
if (!bundle) throw new Error('Say which bundle to shorten: node src/local/shorten-bundle.ts <file>')
const map = `${bundle}.map`
const read = readMapped(readFileSync(bundle, 'utf8'), readFileSync(map, 'utf8'))
const [runtime, ...sections] = sectionsOf(shortened(read.lines))
const written = writeMapped({ ...read, lines: [...runtime!, ...inSimilarOrder(sections).flat()] })
writeFileSync(bundle, written.text)
writeFileSync(map, written.map)

function shortened(lines: readonly MappedLine[]): readonly MappedLine[] {
  const short: MappedLine[] = []
  for (const line of withoutNeedlessCalls(lines)) {
    if (STRICT.test(line.text)) continue
    const indent = CONTINUED.exec(line.text)?.[0].length
    if (indent === undefined) short.push({ ...line, text: line.text.replace(WRAPPER_NAME, '  _(') })
    else short.push(joined(short.pop()!, line, indent))
  }
  return short
}

function joined(first: MappedLine, second: MappedLine, indent: number): MappedLine {
  const shift = first.text.length + 1 - indent
  const moved = second.segments.map((segment) => segment.with(0, segment[0] + shift) as typeof segment)
  return {
    text: `${first.text} ${second.text.slice(indent)}`,
    segments: [...first.segments, ...moved],
  }
}

/** What is before the first file, then each file. */
function sectionsOf(lines: readonly MappedLine[]): readonly (readonly MappedLine[])[] {
  const sections: MappedLine[][] = [[]]
  for (const line of lines) {
    if (SECTION.test(line.text)) sections.push([])
    sections.at(-1)!.push(line)
  }
  return sections
}
