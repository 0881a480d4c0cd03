import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readDocument } from '../read-document.ts'
import type { Described } from './described.ts'
import { referenceOf } from './reference.ts'
import { searchIndexOf } from './search-index.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

const document = (await readDocument()) as Described
writeFileSync(join(ROOT, 'public/docs/reference.md'), referenceOf(document))
writeFileSync(join(ROOT, 'public/assets/docs-index.json'), searchIndexOf(document))
