#!/usr/bin/env bash
# itty-router 5.0.24: a router is thenable, so a function that is `async` cannot return one.
# Guess: a router is a plain object with `fetch`, and returning it from an async function resolves to it. Seen: every unknown
# property of a router adds a route, `then` too. Resolving a promise with it adds a route for the method THEN, and the promise
# never settles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 itty-router@5.0.24
cat > run.mjs <<'CODE'
import { IttyRouter } from 'itty-router'
const router = IttyRouter()
console.log(typeof router.then, router.routes.length)
const make = async () => router
const settled = await Promise.race([
  make().then(() => 'settled'),
  new Promise((done) => setTimeout(() => done('pending'), 200)),
])
console.log(settled, router.routes.map(([method]) => method).join())
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
function 0
pending THEN
SEEN
echo 'As described.'
