import { counted } from './text.js'

/** @typedef {import('../types.d.ts').Report} Report */

const KINDS = /** @type {const} */ ([
  ['double', 'double'],
  ['lost', 'lost'],
  ['falseOffers', 'false offers'],
  ['falseRefusals', 'false refusals'],
])
const LINE = 24
const FIRST = 330
const COLUMN = 105

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * One picture of the table: a cell without findings is green, one with findings red, one that was not run or not to its end gray.
 *
 * @param {Report} report
 */
export function writeSvg({ target, version, seed, callers, rounds, rows }) {
  const width = FIRST + COLUMN * KINDS.length + 16
  const height = LINE * (rows.length + 3)
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ words, more = '') =>
    `<text x="${x}" y="${y}"${more}>${escaped(words)}</text>`
  const heads = KINDS.map(([, head], at) =>
    text(FIRST + COLUMN * at + 48, LINE * 2, head, ' text-anchor="middle"'),
  )
  const lines = rows.flatMap((row, index) => {
    const y = LINE * (index + 3)
    const cells = KINDS.flatMap(([kind], at) => {
      const unknown = row.leftOut !== null ? 'not run' : row.stopped !== null && row[kind] === 0 && 'stopped'
      const fill = unknown ? '#d4d4d8' : row[kind] === 0 ? '#bbf7d0' : '#fca5a5'
      const x = FIRST + COLUMN * at
      return [
        `<rect x="${x}" y="${y - 16}" width="96" height="20" rx="3" fill="${fill}"/>`,
        text(x + 48, y, unknown || String(row[kind]), ' text-anchor="middle"'),
      ]
    })
    return [text(12, y, row.title), ...cells]
  })
  const title = `${target} ${version}, ${counted(callers, 'caller')}, ${counted(rounds, 'round')}, seed ${seed}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(12, LINE, title, ' font-weight="bold"'),
    ...heads,
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}
