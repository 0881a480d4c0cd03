import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ar } from '../../src/platform/i18n/ar.ts'
import { headed } from '../../src/platform/i18n/colon.ts'
import { arEmails } from '../../src/platform/i18n/emails/ar.ts'
import { frEmails } from '../../src/platform/i18n/emails/fr.ts'
import { fr } from '../../src/platform/i18n/fr.ts'
import { localeOf } from '../../src/platform/i18n/locale.ts'

it('keeps the signs of French on the line of the word before, with the space that is due there', () => {
  const markdownTexts = readFileSync(
    resolve(import.meta.dirname, '../../public/docs/markdown/fr.json'),
    'utf8',
  )
  const all = JSON.stringify([fr, frEmails, JSON.parse(markdownTexts)])
  expect(all.match(/.{0,20}\s[:;!?»]/g)?.filter((one) => !/\u00a0:$|\u202f[;!?»]$/.test(one))).toEqual([])
  expect(all.match(/[^\s"}/\]][;!?](?=[\s"])/g)).toBeNull()
})

it('puts a colon behind a label as the language has it, and none behind a question', () => {
  expect(headed(localeOf('fr'), 'Quand')).toBe('Quand\u00a0:')
  expect(headed(localeOf('de'), 'Wann')).toBe('Wann:')
  expect(headed(localeOf('fr'), fr.notes)).toBe(fr.notes)
})

it('keeps an address in its own direction within an Arabic sentence', () => {
  expect(ar.confirmedText).toContain('\u2068{email}\u2069')
})

it('keeps names and titles beside each other in the order of an Arabic subject', () => {
  const subjects = Object.entries(arEmails).filter(([name]) => name.endsWith('Subject'))
  const places = JSON.stringify(subjects).match(/.?\{(name|what|org|account|provider)\}.?/g)!
  expect(places).toContain('\u2068{name}\u2069')
  expect(places.filter((place) => !/^\u2068.*\u2069$/.test(place))).toEqual([])
})
