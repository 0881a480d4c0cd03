import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readDocument } from './read-document.ts'

const [file] = process.argv.slice(2)
if (!file) throw new Error('Say which file to write: node src/local/dump-openapi.ts <file>')

mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(await readDocument(), null, 2)}\n`)
