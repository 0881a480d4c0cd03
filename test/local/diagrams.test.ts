import { globSync, readFileSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawDiagram } from '../../src/local/diagrams/draw.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const sources = globSync('docs/diagrams/*.txt', { cwd: ROOT }).sort()

describe('the diagrams of the documentation', () => {
  it.each(sources)('are drawn from %s, and small', (file) => {
    const drawn = read(`public/diagrams/${parse(file).name}.svg`)
    // Otherwise run: npm run diagrams
    expect(drawn).toBe(drawDiagram(read(file)))
    expect(drawn.length).toBeLessThan(2_500)
  })

  it('are each shown on a page, with words for those who do not see them', () => {
    const pages = globSync('public/docs/*.md', { cwd: ROOT }).map(read).join('\n')
    for (const file of sources) {
      const [, words] =
        new RegExp(`!\\[([^\\]]+)\\]\\(/diagrams/${parse(file).name}\\.svg\\)`).exec(pages) ?? []
      expect([file, words?.length]).toEqual([file, expect.any(Number)])
    }
  })

  it('say which line is neither a box nor an arrow', () => {
    const boxes = '# Title\none 0 0 One\ntwo 1 0 <Two>\n'
    expect(drawDiagram(`${boxes}one > two go`)).toContain('&#60;Two>')
    expect(() => drawDiagram(`${boxes}one > three`)).toThrow('one > three')
    expect(() => drawDiagram(`${boxes}nonsense`)).toThrow('nonsense')
  })
})
