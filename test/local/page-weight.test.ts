import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const ASSETS = resolve(import.meta.dirname, '../../public')
/** What a booking page loads beside itself, once for each version. */
const LOADED = ['page.css', 'page.js', 'form.js', 'days.js', 'grid.js']

function weight(file: string): number {
  return gzipSync(readFileSync(resolve(ASSETS, file))).length
}

it('keeps the style and the scripts of the pages, and what other sites load, small', () => {
  const loaded = LOADED.map((file) => weight(`assets/${file}`)).reduce((sum, one) => sum + one, 0)
  expect(loaded).toBeLessThan(16_500)
  expect(weight('embed.js')).toBeLessThan(4_500)
})
