#!/usr/bin/env bash
# svix 2.5.0 beside svix 1.99.1 and standardwebhooks 1.1.1: what `verify` returns.
# Guess: the parsed payload, as in every version of svix 1 and in most guides. Seen: since 2.2 it returns undefined, so that
# `const event = webhook.verify(body, headers)` has nothing in it although the signature is right. standardwebhooks still parses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 svix@2.5.0 svix-1@npm:svix@1.99.1 standardwebhooks@1.1.1
cat > run.mjs <<'CODE'
import { Webhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { Webhook as Svix1 } from 'svix-1'

const secret = `whsec_${btoa('a secret for this example alone.')}`
const [id, now, body] = ['msg_1', new Date(), '{"type":"booking.created"}']
const headers = {
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, now, body),
}
for (const [name, Class] of Object.entries({ 'svix 1': Svix1, 'svix 2': Svix, standardwebhooks: Webhook }))
  console.log(name, JSON.stringify(new Class(secret).verify(body, headers)))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
svix 1 {"type":"booking.created"}
svix 2 undefined
standardwebhooks {"type":"booking.created"}
SEEN
echo 'As described.'
