import { mkdirSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'

const RUNTIME = 'data:text/javascript,export class DurableObject {}; export const waitUntil = () => {}'
const SERVER_URL = 'http://localhost:8787'

// The routes reach what exists in the Workers runtime only, such as the base class of objects. Nothing here runs any of it.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:workers' ? { url: RUNTIME, shortCircuit: true } : next(specifier, context),
})

const [file] = process.argv.slice(2)
if (!file) throw new Error('Say which file to write: node src/local/dump-openapi.ts <file>')

const [{ openApiDocument }, { openDocumented }] = await Promise.all([
  import('../platform/http/openapi/document.ts'),
  import('../routes.ts'),
])
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(openApiDocument(await openDocumented(), SERVER_URL), null, 2)}\n`)
