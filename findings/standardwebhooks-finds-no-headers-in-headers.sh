#!/usr/bin/env bash
# standardwebhooks 1.1.1: verifying a request whose headers come as `Headers`, as fetch handlers, Workers, Next and Hono have
# them, or as lists (`headersDistinct` of Node).
# Guess: `verify` reads both, since it takes "headers" and compares names in any letter case.
# Seen: it reads own properties, which `Headers` has none of, so each delivery fails with "Missing required headers". A list
# throws TypeError. `Object.fromEntries(request.headers)` works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 standardwebhooks@1.1.1
cat > run.mjs <<'CODE'
import { Webhook } from 'standardwebhooks'
const webhook = new Webhook(`whsec_${Buffer.from('a'.repeat(24)).toString('base64')}`)
const [body, now] = ['{"type":"tea"}', new Date()]
const plain = {
  'Webhook-Id': 'one',
  'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
  'Webhook-Signature': webhook.sign('one', now, body),
}
const request = new Request('http://localhost', { headers: plain })
const cases = {
  plain,
  Headers: request.headers,
  'from entries': Object.fromEntries(request.headers),
  lists: Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]])),
}
for (const [name, headers] of Object.entries(cases)) {
  try {
    console.log(`${name}:`, JSON.stringify(webhook.verify(body, headers)))
  } catch (error) {
    console.log(`${name}:`, error.name, error.message)
  }
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
plain: {"type":"tea"}
Headers: WebhookVerificationError Missing required headers
from entries: {"type":"tea"}
lists: TypeError msgSignature.split is not a function
SEEN
echo 'As described.'
