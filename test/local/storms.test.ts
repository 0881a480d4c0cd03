import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** What a file of tests says, with the walks of `test/e2e/pages`, `console` or `owner` that it is made of. */
function wholeOf(file: string, seen = new Set<string>()): string {
  seen.add(file)
  const text = read(file)
  const parts = [...text.matchAll(/(?:from|import) '(\.\/[^']+\.ts)'/g)]
    .map(([, part]) => join(dirname(file), part!))
    .filter((part) => part.startsWith('test/e2e/') && !seen.has(part))
  return [text, ...parts.map((part) => wholeOf(part, seen))].join('\n')
}

it('npm run storms takes every file of tests that draws anew or does more there, and no other', () => {
  const named = JSON.parse(read('package.json'))
    .scripts.storms.split(' vitest run ')[1]
    .match(/\btest\/\S+/g) as string[]
  const files = globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['test/generators/**'] })
  const drawing = files.filter((file) =>
    /\bamount\(|\bSEED\b|\bruns\(|inject\('chance'\)/.test(wholeOf(file)),
  )
  expect(drawing.length).toBeGreaterThan(10)
  for (const file of drawing)
    expect([file, named.some((name) => file.startsWith(name))]).toEqual([file, true])
  for (const name of named)
    expect([name, drawing.some((file) => file.startsWith(name))]).toEqual([name, true])
})
