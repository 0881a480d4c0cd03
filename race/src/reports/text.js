/** @typedef {import('../types.d.ts').Report} Report */

const HEADS = [
  'storm',
  'calls',
  'made',
  'failed',
  'double',
  'lost',
  'false offers',
  'false refusals',
  'p50 ms',
  'p99 ms',
]
const SHOWN_FINDINGS = 5

/**
 * A table for a terminal, with the first findings below it.
 *
 * @param {Report} report
 */
export function writeText(report) {
  const { target, version, race, node, seed, callers, rounds } = report
  const rows = report.rows.map((row) => [
    row.title,
    ...(row.leftOut === null
      ? [row.calls, row.made, row.failed, row.double, row.lost, row.falseOffers, row.falseRefusals].map(
          String,
        )
      : ['-', '-', '-', '-', '-', '-', '-']),
    ...(row.leftOut === null ? [row.p50.toFixed(1), row.p99.toFixed(1)] : ['-', '-']),
  ])
  const widths = HEADS.map((head, at) => Math.max(head.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (/** @type {readonly string[]} */ cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  const findings = report.rows.flatMap(({ storm, findings }) =>
    findings.slice(0, SHOWN_FINDINGS).map(({ kind, what }) => `${storm}: ${kind}: ${what}`),
  )
  const notes = report.rows.flatMap(({ storm, leftOut, stopped }) => [
    ...(leftOut === null ? [] : [`${storm} was not run: ${leftOut}.`]),
    ...(stopped === null ? [] : [`${storm} stopped in ${stopped}`]),
  ])
  return [
    `${target} ${version}: ${counted(callers, 'caller')}, ${counted(rounds, 'round')}, seed ${seed}; holdfast-race ${race}, Node ${node}`,
    '',
    line(HEADS),
    ...rows.map(line),
    ...(notes.length > 0 ? ['', ...notes] : []),
    ...(findings.length > 0 ? ['', ...findings] : []),
    '',
  ].join('\n')
}

/** 1 if anything was found, 3 if a storm could not be run to its end, 0 otherwise. @param {Report} report */
export function statusOf(report) {
  if (countFindings(report) > 0) return 1
  return report.rows.some(({ stopped }) => stopped !== null) ? 3 : 0
}

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** @param {Report} report */
export function countFindings({ rows }) {
  return rows.reduce((sum, { findings }) => sum + findings.length, 0)
}
