import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/platform/http/version.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

describe('the release', () => {
  it.each(['package.json', 'client/package.json', 'race/package.json'])(
    'has one version, which is also that of %s',
    (file) => {
      expect(JSON.parse(textOf(file)).version).toBe(VERSION)
    },
  )

  it('has a frozen document of its version', () => {
    expect(JSON.parse(textOf(`openapi/${VERSION}.json`)).info.version).toBe(VERSION)
  })

  it('is the newest one in the changelog, with its date', () => {
    const [, version, date] = /^## (\S+), (\S+)$/m.exec(textOf('CHANGELOG.md')) ?? []
    expect(version).toBe(VERSION)
    expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
  })

  it('is the version that the proof and the client name', () => {
    expect(textOf('docs/proof.md')).toContain(`Version ${VERSION},`)
    expect(textOf('client/README.md')).toContain(`holdfast-client-${VERSION}.tgz`)
  })
})
