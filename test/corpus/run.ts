import '../support/temporal.ts'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { libicalOn, rruleTemporal } from './expanders.ts'
import { reasonFor } from './reasons.ts'
import { seriesIn } from './series.ts'
import { tablesIn } from './tables.ts'

// What calendar files of others recur to, for us and for two other programs: `npm run corpus -- FOLDER…`. Every series of the
// files below the folders is expanded over two years; each difference is listed with its reason.

const folders = process.argv.slice(2)
if (folders.length === 0) {
  console.error('Name the folders: npm run corpus -- FOLDER…')
  process.exit(2)
}
const build = mkdtempSync(join(tmpdir(), 'corpus-'))
const program = join(build, 'expand')
const compiled = spawnSync('cc', ['-O2', join(import.meta.dirname, 'expand.c'), '-o', program, '-lical'], {
  stdio: 'inherit',
})
if (compiled.status !== 0) {
  console.error('libical is missing: apt-get install gcc libical-dev')
  process.exit(2)
}

let [windows, unread] = [0, 0]
const seen = new Set<string>()
const differences = new Map<string, string[]>()
try {
  for (const folder of folders) {
    for (const file of globSync('**/*.{ics,txt}', { cwd: folder }).sort()) {
      const path = join(folder, file)
      if (!statSync(path).isFile()) continue
      for (const { text, name, expected } of file.endsWith('.txt')
        ? tablesIn(readFileSync(path, 'utf8'))
        : [fileAt(path)]) {
        compare(text, `${relative(process.cwd(), path)}${name}`, expected)
      }
    }
  }
} finally {
  rmSync(build, { recursive: true, force: true })
}

function fileAt(path: string) {
  return { text: readFileSync(path, 'utf8'), name: '', expected: null }
}

function compare(text: string, name: string, expected: readonly number[] | null): void {
  const found = seriesIn(text)
  if (found.length === 0 || seen.has(text)) return
  seen.add(text)
  const libical = libicalOn(program, text)
  for (const series of found) {
    const others = { libical: libical(series), 'rrule-temporal': rruleTemporal(series), table: expected }
    for (const [other, theirs] of Object.entries(others)) {
      if (theirs === null) {
        if (other !== 'table') unread += 1
        continue
      }
      windows += 1
      const ours = series.ours ?? []
      if (ours.join() === theirs.join()) continue
      const reason = reasonFor(series, other, ours, theirs, others)
      const [missing, extra] = [without(theirs, ours), without(ours, theirs)]
      const shown = (seconds: readonly number[]) =>
        seconds
          .slice(0, 2)
          .map((each) => new Date(each * 1000).toISOString().slice(0, 16))
          .join(' ')
      const rule = series.lines
        .filter((line) => /^(DTSTART|RRULE|RDATE|EXDATE|EXRULE)/i.test(line))
        .join(' ')
        .slice(0, 200)
      const line = `  ${name} ${series.uid}: ${other} has ${missing.length} more (${shown(missing)}), we ${extra.length} more (${shown(extra)})\n    ${rule}`
      differences.set(reason ?? 'UNEXPLAINED', [...(differences.get(reason ?? 'UNEXPLAINED') ?? []), line])
    }
  }
}

function without(all: readonly number[], some: readonly number[]): number[] {
  const known = new Set(some)
  return all.filter((each) => !known.has(each))
}

for (const [reason, lines] of [...differences].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(`\n${reason}: ${lines.length}`)
  for (const line of lines) console.log(line)
}
const count = [...differences.values()].reduce((sum, lines) => sum + lines.length, 0)
console.log(
  `\n${windows} comparisons, ${count} differences, ${unread} series that the other program does not read.`,
)
const unexplained = differences.get('UNEXPLAINED')?.length ?? 0
if (unexplained > 0) console.log(`${unexplained} differences have no known reason.`)
process.exitCode = unexplained > 0 ? 1 : 0
