const [BOX_WIDTH, BOX_HEIGHT] = [150, 44]
const [COLUMN, ROW, MARGIN] = [300, 92, 12]
const LINE = 15

type Box = { readonly name: string; readonly x: number; readonly y: number; readonly words: string }

const BOX_OF = /^(\w+) +(\d+) +(\d+) +(.+)$/
const ARROW_OF = /^(\w+) > (\w+)(?: +(.+))?$/

/**
 * Draws boxes and arrows of text. `held 0 1 Held` is a box with its column, its row and its words; `held > booked confirm` is
 * an arrow with its words. A `/` begins a new line of words.
 */
export function drawDiagram(text: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (!title) throw new Error('the first line must be a title: # A title')
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const boxes = new Map<string, Box>()
  const arrows: string[] = []
  for (const line of lines) {
    const [, name, column, row, words] = BOX_OF.exec(line) ?? []
    if (name) {
      const [x, y] = [MARGIN + Number(column) * COLUMN, MARGIN + Number(row) * ROW]
      boxes.set(name, { name, x, y, words: words! })
      continue
    }
    const [, from, to, label = ''] = ARROW_OF.exec(line) ?? []
    const ends = [boxes.get(from ?? ''), boxes.get(to ?? '')] as const
    if (!ends[0] || !ends[1]) throw new Error(`not a box and not an arrow between boxes: ${line}`)
    arrows.push(arrow(ends[0], ends[1], label))
  }
  const all = [...boxes.values()]
  const width = Math.max(...all.map(({ x }) => x)) + BOX_WIDTH + MARGIN
  const height = Math.max(...all.map(({ y }) => y)) + BOX_HEIGHT + MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${escaped(title)}</title>
<style>text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#111827}rect{fill:#eef2ff;stroke:#4f5b76}path{fill:none;stroke:#4f5b76}.l{fill:#374151;font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:5px}.s{text-anchor:start}@media(prefers-color-scheme:dark){text{fill:#e5e7eb}rect{fill:#262c3a;stroke:#8a93a3}path{stroke:#8a93a3}.l{fill:#c6ccd6;stroke:#1c1f26}}</style>
<marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8"/></marker>
${[...arrows, ...all.map(box)].join('\n')}
</svg>
`
}

function box({ x, y, words }: Box): string {
  const middle = written(words, x + BOX_WIDTH / 2, y + BOX_HEIGHT / 2, '')
  return `<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="8"/>${middle}`
}

/** From side to side, or from above to below within a column. */
function arrow(from: Box, to: Box, label: string): string {
  const isDown = from.x === to.x
  const direction = isDown ? Math.sign(to.y - from.y) : Math.sign(to.x - from.x)
  const start = isDown ? [from.x + BOX_WIDTH / 2, from.y] : [from.x, from.y + BOX_HEIGHT / 2]
  const end = isDown ? [to.x + BOX_WIDTH / 2, to.y] : [to.x, to.y + BOX_HEIGHT / 2]
  const far = isDown ? BOX_HEIGHT : BOX_WIDTH
  const at = isDown ? 1 : 0
  if (direction > 0) start[at]! += far
  else end[at]! += far
  const [x, y] = [(start[0]! + end[0]!) / 2, (start[1]! + end[1]!) / 2]
  const path = `<path d="M${start.join(' ')} ${end.join(' ')}" marker-end="url(#a)"/>`
  if (label === '') return path
  const isLevel = start[1] === end[1]
  return (
    path +
    (isDown
      ? written(label, x + 10, y, ' class="l s"')
      : written(label, x, isLevel ? y - LINE : y, ' class="l"'))
  )
}

function written(words: string, x: number, y: number, more: string): string {
  const lines = words.split('/').map((line) => line.trim())
  const first = y + 4 - ((lines.length - 1) * LINE) / 2
  return lines
    .map((line, at) => `<text x="${x}" y="${first + at * LINE}"${more}>${escaped(line)}</text>`)
    .join('')
}

const escaped = (text: string) => text.replace(/[&<]/g, (char) => `&#${char.charCodeAt(0)};`)
