import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'

/** A line of a bundle with what the source map says about it. */
export type MappedLine = { readonly text: string; readonly segments: readonly SourceMapSegment[] }

type Mapped = { readonly lines: readonly MappedLine[]; readonly rest: Readonly<Record<string, unknown>> }

export function readMapped(text: string, map: string): Mapped {
  const { mappings, ...rest } = JSON.parse(map)
  const segments = decode(mappings)
  return { lines: text.split('\n').map((line, at) => ({ text: line, segments: segments[at] ?? [] })), rest }
}

export function writeMapped({ lines, rest }: Mapped): { readonly text: string; readonly map: string } {
  const mappings = encode(lines.map(({ segments }) => [...segments]))
  return { text: lines.map(({ text }) => text).join('\n'), map: JSON.stringify({ ...rest, mappings }) }
}
