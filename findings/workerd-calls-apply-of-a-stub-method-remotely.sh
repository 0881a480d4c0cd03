#!/usr/bin/env bash
# workerd 1.20261102 (miniflare 5.20261102.0-beta): `stub.method.apply(stub, values)` of a Durable Object's stub is itself a remote call.
# Guess: `apply` and `call` are those of every function. Seen: a method of a stub is a promise of a property; `apply` asks the
# object for a method of that name, which fails there. `stub[name](...values)` works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 miniflare@5.20261102.0-beta
cat > run.mjs <<'CODE'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const script = `
import { DurableObject } from 'cloudflare:workers'
export class Adder extends DurableObject { add(a, b) { return a + b } }
export default {
  async fetch(request, env) {
    const stub = env.ADDER.get(env.ADDER.idFromName('one'))
    const plain = await stub['add'](1, 2)
    const applied = await stub.add.apply(stub, [1, 2]).then(String, (error) => error.name)
    return new Response(plain + ' ' + applied)
  },
}`
const options = { modules: true, compatibilityDate: '2026-11-01', durableObjects: { ADDER: 'Adder' }, script }
const runtime = new Miniflare(convertV4MiniflareOptions(options))
console.log(await (await runtime.dispatchFetch('http://localhost/')).text())
await runtime.dispose()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
3 TypeError
SEEN
echo 'As described.'
