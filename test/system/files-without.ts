import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { SYSTEM_PACKAGES, type SystemPackage } from './packages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const IMPORTED = /(?:from|import) '(\.[^']+\.tsx?)'/g

export type LeftOut = { readonly file: string; readonly packages: readonly string[] }

/** The files of tests that need one of these packages: they, or a file of tests' own that they import, use it. */
export function filesWithout(
  absent: readonly SystemPackage[] = SYSTEM_PACKAGES.filter(({ isThere }) => !isThere()),
): LeftOut[] {
  if (absent.length === 0) return []
  const files = globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['test/generators/**'] }).sort()
  return files.flatMap((file) => {
    const sources = sourcesOf(join(ROOT, file), new Map())
    const packages = absent.filter(({ usedBy }) => sources.some((source) => usedBy.test(source)))
    return packages.length > 0 ? [{ file, packages: packages.map(({ name }) => name) }] : []
  })
}

function sourcesOf(file: string, seen: Map<string, string>): string[] {
  const isOfTests = !relative(join(ROOT, 'test'), file).startsWith('..')
  // A text that a test writes somewhere may import what is only there.
  if (!seen.has(file) && isOfTests && existsSync(file) && file !== join(import.meta.dirname, 'packages.ts')) {
    const source = readFileSync(file, 'utf8')
    seen.set(file, source)
    for (const [, imported] of source.matchAll(IMPORTED)) sourcesOf(resolve(dirname(file), imported!), seen)
  }
  return [...seen.values()]
}
