#!/usr/bin/env bash
# oazapfts 7.5.0: a request body that is not JSON but has an object as its schema, such as a line of `application/x-ndjson`, makes
# code that does not compile.
# Guess: the body's type is `string` or `Blob` where the media type is not JSON. Seen: it is the schema's object, passed to `fetch`
# as it is. `type: string` in the document makes it right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 oazapfts@7.5.0 @oazapfts/runtime@1.2.0 typescript@5.9.3
document() {
  cat <<DOCUMENT
{
  "openapi": "3.1.0",
  "info": { "title": "Lines", "version": "1" },
  "paths": {
    "/lines": {
      "post": {
        "operationId": "sendLines",
        "requestBody": { "required": true, "content": { "application/x-ndjson": { "schema": $1 } } },
        "responses": { "204": { "description": "Done." } }
      }
    }
  }
}
DOCUMENT
}
document '{ "type": "object", "required": ["type"], "properties": { "type": { "type": "string" } } }' > object.json
document '{ "type": "string" }' > text.json
for name in object text; do
  node_modules/.bin/node node_modules/oazapfts/dist/cli.js $name.json $name.ts > told.txt
  node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler \
    $name.ts | grep -o 'error TS[0-9]*' | head -1 > error.txt || true
  echo "$name: $(cat error.txt)"
done > seen.txt
diff --unified - seen.txt <<'SEEN'
object: error TS2322
text: 
SEEN
echo 'As described.'
