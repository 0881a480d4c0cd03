#!/usr/bin/env bash
# openapi-backend 5.21.2: documents of OpenAPI 3.1, which its README lists as supported.
# Guess: it starts with a document that has webhooks, a nullable field (`type: [string, "null"]`), a `const` or a license with an
# SPDX identifier, as the specification of 3.1 has them.
# Seen: each of them fails as not valid, since the document is held against the schema of 3.0. Without `strict` it only warns, and
# then knows no operation, so that each request fails. `quick: true` leaves out the check and works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 openapi-backend@5.21.2
cat > run.mjs <<'CODE'
import backend from 'openapi-backend'
const OpenAPIBackend = backend.OpenAPIBackend ?? backend.default
console.warn = () => {}
const operation = { operationId: 'list', responses: { 200: { description: 'Done.' } } }
const plain = { openapi: '3.1.0', info: { title: 'Tea', version: '1' }, paths: { '/tea': { get: operation } } }
const schema = (it) => ({ ...plain, components: { schemas: { Tea: it } } })
const cases = {
  plain,
  webhooks: { ...plain, webhooks: {} },
  nullable: schema({ type: ['string', 'null'] }),
  const: schema({ const: 'tea' }),
  license: { ...plain, info: { ...plain.info, license: { name: 'MIT', identifier: 'MIT' } } },
}
for (const [name, definition] of Object.entries(cases)) {
  const told = []
  for (const options of [{ strict: true }, {}, { quick: true }]) {
    const api = new OpenAPIBackend({ definition: structuredClone(definition), ...options })
    try {
      await api.init()
      told.push(`${api.getOperations().length} operation`)
    } catch (error) {
      told.push(error.message.slice(0, 30))
    }
  }
  console.log(`${name}: ${told.join(' | ')}`)
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
plain: 1 operation | 1 operation | 1 operation
webhooks: Document is not valid OpenAPI. | 0 operation | 1 operation
nullable: Document is not valid OpenAPI. | 0 operation | 1 operation
const: Document is not valid OpenAPI. | 0 operation | 1 operation
license: Document is not valid OpenAPI. | 0 operation | 1 operation
SEEN
echo 'As described.'
