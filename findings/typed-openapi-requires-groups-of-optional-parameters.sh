#!/usr/bin/env bash
# typed-openapi 2.2.7: an operation whose query or header parameters are all optional must still be called with `query: {}` and
# `header: {}`.
# Guess: what is optional in the document can be left out, as with openapi-fetch. Seen: the group itself is required, so that an
# optional header added to an operation breaks every call of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 typed-openapi@2.2.7 typescript@5.9.3
cat > api.json <<'DOCUMENT'
{
  "openapi": "3.1.0",
  "info": { "title": "Things", "version": "1" },
  "paths": {
    "/things": {
      "get": {
        "operationId": "listThings",
        "parameters": [
          { "name": "limit", "in": "query", "required": false, "schema": { "type": "integer" } },
          { "name": "X-Org", "in": "header", "required": false, "schema": { "type": "string" } }
        ],
        "responses": { "200": { "description": "OK", "content": { "application/json": { "schema": { "type": "object", "properties": { "id": { "type": "string" } } } } } } }
      }
    }
  }
}
DOCUMENT
node_modules/.bin/node node_modules/typed-openapi/bin.js api.json -o api.ts > told.txt
cat > call.ts <<'CODE'
import { createApiClient } from './api.ts'
const api = createApiClient({ fetch: ({ url }) => fetch(url) }, 'http://localhost')
export const whole = () => api.get('/things', { query: {}, header: {} })
// @ts-expect-error the group is required
export const without = () => api.get('/things', { query: {} })
// @ts-expect-error both are
export const bare = () => api.get('/things')
CODE
node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler \
  --allowImportingTsExtensions call.ts > seen.txt || true
diff --unified /dev/null seen.txt
echo 'As described.'
