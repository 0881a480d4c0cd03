#!/usr/bin/env bash
# openapi-mcp-generator 4.0.1: a tool that is made of an operation with a list in its query, whose document says nothing of its style.
# Guess: the list is sent as repetition (`?status=a&status=b`), which is the default of OpenAPI (`style: form`, `explode: true`), and
# an integer stays one.
# Seen: every list is joined with commas, whatever the document says, and an integer is offered to models as a number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 openapi-mcp-generator@4.0.1
cat > document.json <<'DOCUMENT'
{
  "openapi": "3.1.0",
  "info": { "title": "Tea", "version": "1" },
  "servers": [{ "url": "http://127.0.0.1" }],
  "paths": {
    "/tea": {
      "get": {
        "operationId": "list",
        "parameters": [
          { "name": "kind", "in": "query", "explode": true, "schema": { "type": "array", "items": { "type": "string" } } },
          { "name": "limit", "in": "query", "schema": { "type": "integer" } }
        ],
        "responses": { "200": { "description": "Done." } }
      }
    }
  }
}
DOCUMENT
PATH=$PWD/node_modules/.bin:$PATH openapi-mcp-generator --input document.json --output server > told.txt 2>&1
{
  grep -o '"limit":{"type":"[a-z]*"' server/src/index.ts | head -1
  sed -n '/paramsSerializer/,/^      },/p' server/src/index.ts | grep -o 'Array.isArray.*'
} > seen.txt
diff --unified - seen.txt <<'SEEN'
"limit":{"type":"number"
Array.isArray(value) ? value.join(',') : String(value));
SEEN
echo 'As described.'
