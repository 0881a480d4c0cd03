#!/usr/bin/env bash
# zod 4.6.7: an address whose top-level domain is internationalized, in the form in which DNS has it, and times and durations with
# less common signs.
# Guess: `z.email()` takes `xn--p1ai` (.рф) as any other domain, `z.iso.datetime()` takes RFC 3339's lower-case `t` and `z`, and
# `z.iso.duration()` takes the fraction that ISO 8601 allows on the last number.
# Seen: all three are refused. `z.regexes.html5Email` takes the address. Two strict objects in an intersection take each other's
# fields, which Zod 3 refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 zod@4.6.7
cat > run.mjs <<'CODE'
import { z } from 'zod'
const show = (name, schema, value) => console.log(`${name}:`, schema.safeParse(value).success)
show('user@xn--bcher-kva.example', z.email(), 'user@xn--bcher-kva.example')
show('user@xn--e1afmkfd.xn--p1ai', z.email(), 'user@xn--e1afmkfd.xn--p1ai')
show('with html5Email', z.email({ pattern: z.regexes.html5Email }), 'user@xn--e1afmkfd.xn--p1ai')
show('2026-11-29t09:00:00z', z.iso.datetime(), '2026-11-29t09:00:00z')
for (const text of ['PT90M', 'P1W', 'PT1.5S', 'PT1.5H']) show(text, z.iso.duration(), text)
const both = z.strictObject({ name: z.string() }).and(z.strictObject({ size: z.string() }))
show('intersection', both, { name: 'Tea', size: 'big' })
show('intersection with a third field', both, { name: 'Tea', size: 'big', price: 1 })
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
user@xn--bcher-kva.example: true
user@xn--e1afmkfd.xn--p1ai: false
with html5Email: true
2026-11-29t09:00:00z: false
PT90M: true
P1W: true
PT1.5S: true
PT1.5H: false
intersection: true
intersection with a third field: false
SEEN
echo 'As described.'
