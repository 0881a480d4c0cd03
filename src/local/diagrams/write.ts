import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { drawDiagram } from './draw.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

for (const file of globSync('docs/diagrams/*.txt', { cwd: ROOT })) {
  const svg = drawDiagram(readFileSync(join(ROOT, file), 'utf8'))
  writeFileSync(join(ROOT, `public/diagrams/${parse(file).name}.svg`), svg)
}
