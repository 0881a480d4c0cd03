#!/usr/bin/env bash
# openapi-zod-client 1.18.3: a document of OpenAPI 3.1 with fields that may be null, a `const`, and a union told apart by a `const`.
# Guess: the limits of a field are also those of the same field that may be null, and a constant is `z.literal`.
# Seen: once `type` is a list, length, pattern and range are left out. A constant is `z.unknown()`, so the union takes values of no kind.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 openapi-zod-client@1.18.3
cat > document.json <<'DOCUMENT'
{
  "openapi": "3.1.0",
  "info": { "title": "Tea", "version": "1" },
  "paths": {
    "/tea": {
      "post": {
        "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Tea" } } } },
        "responses": { "204": { "description": "Done." } }
      }
    }
  },
  "components": {
    "schemas": {
      "Tea": {
        "type": "object",
        "required": ["name", "note", "price", "discount", "size"],
        "properties": {
          "name": { "type": "string", "maxLength": 5 },
          "note": { "type": ["string", "null"], "maxLength": 5 },
          "price": { "type": "integer", "minimum": 1 },
          "discount": { "type": ["integer", "null"], "minimum": 1 },
          "size": {
            "oneOf": [
              { "type": "object", "required": ["kind"], "properties": { "kind": { "const": "cup" } } },
              { "type": "object", "required": ["kind", "litres"], "properties": { "kind": { "const": "pot" }, "litres": { "type": "number" } } }
            ]
          }
        }
      }
    }
  }
}
DOCUMENT
node_modules/.bin/node node_modules/openapi-zod-client/bin.js document.json -o client.ts > told.txt
sed -n '/^const Tea/,/passthrough();$/p' client.ts > seen.txt
diff --unified - seen.txt <<'SEEN'
const Tea = z
  .object({
    name: z.string().max(5),
    note: z.union([z.string(), z.null()]),
    price: z.number().int().gte(1),
    discount: z.union([z.number(), z.null()]),
    size: z.union([
      z.object({ kind: z.unknown() }).passthrough(),
      z.object({ kind: z.unknown(), litres: z.number() }).passthrough(),
    ]),
  })
  .passthrough();
SEEN
echo 'As described.'
