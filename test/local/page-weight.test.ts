import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { regionsToChooseFrom } from '../../src/pages/zones.ts'

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
  // Only who looks for another zone loads these.
  expect(weight('assets/zones.js') + weight('assets/cities.js')).toBeLessThan(9_000)
})

it('keeps the index of the documentation small, which a reader loads who searches', () => {
  expect(weight('assets/docs-index.json')).toBeLessThan(28_000)
})

it('knows what cities are called in zones that can be chosen, and in no other', async () => {
  const cities = '../../public/assets/cities.js'
  const { CITIES } = (await import(cities)) as { CITIES: Record<string, string> }
  const known = new Set(regionsToChooseFrom().flatMap(({ zones }) => zones))
  expect(Object.keys(CITIES).filter((zone) => !known.has(zone))).toEqual([])
  expect(CITIES['Europe/Vienna']).toContain('Wien')
})

it('counts every file of the pages into their version, for browsers keep each version for ever', () => {
  const counted = readFileSync(resolve(ASSETS, '../src/pages/asset-version.ts'), 'utf8')
  // The files of the reference have their version in their names.
  const files = readdirSync(resolve(ASSETS, 'assets')).filter((file) => file !== 'reference')
  expect(files.filter((file) => !counted.includes(`'${file}'`))).toEqual([])
})
