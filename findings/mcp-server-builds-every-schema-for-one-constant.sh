#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0: a bundle that imports one constant of it contains the schemas of the whole protocol.
# Guess: a bundler leaves out what is not used, as it does with the modules of @modelcontextprotocol/sdk 1.x. Seen: the package is a
# few large modules that build their schemas when they are loaded, so the least it takes is 40 KiB compressed, zod not counted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 esbuild@0.28.2 zod@4.6.7 \
  @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/sdk@1.32.2
size() {
  echo "$2" > entry.mjs
  node_modules/.bin/esbuild entry.mjs --bundle --minify --format=esm --conditions=workerd --external:zod '--external:zod/*' \
    --log-level=error --outfile=bundle.js
  local bytes
  bytes=$(gzip -c bundle.js | wc -c)
  if [ "$bytes" -gt 30720 ]; then echo "$1: more than 30 KiB"; else echo "$1: at most 30 KiB"; fi
}
{
  size 'one constant of 2.x' "import { LATEST_PROTOCOL_VERSION as v } from '@modelcontextprotocol/server'; console.log(v)"
  size 'the protocol and transport of 1.x' "import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { WebStandardStreamableHTTPServerTransport as T } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
console.log(Protocol, T)"
} > seen.txt
diff --unified - seen.txt <<'SEEN'
one constant of 2.x: more than 30 KiB
the protocol and transport of 1.x: at most 30 KiB
SEEN
echo 'As described.'
