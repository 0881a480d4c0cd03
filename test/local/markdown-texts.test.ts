import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/platform/i18n/tags.ts'

const TEXTS_FOLDER = resolve(import.meta.dirname, '../../public/docs/markdown')

type Texts = { readonly [name: string]: string | Texts }

function textsIn(language: string): Texts {
  return JSON.parse(readFileSync(join(TEXTS_FOLDER, `${language}.json`), 'utf8'))
}

/** What a program must find again in every language: names, what is written as code, and places to fill in. */
function fixedIn(texts: Texts, path = ''): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text !== 'string') return fixedIn(text, `${path}${name}.`)
    const fixed = text.match(/`[^`]+`|\{\w+\}/g) ?? []
    return [`${path}${name}: ${[...new Set(fixed)].sort().join(' ')}`]
  })
}

describe('the texts of the Markdown versions', () => {
  it('are there in every language of the pages', () => {
    expect(readdirSync(TEXTS_FOLDER).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
  })

  it.each(LANGUAGES)('say the same in %s: no text is missing, and code stands as it is sent', (language) => {
    expect(fixedIn(textsIn(language))).toEqual(fixedIn(textsIn('en')))
  })
})
