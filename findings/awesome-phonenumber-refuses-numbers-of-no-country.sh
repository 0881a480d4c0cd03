#!/usr/bin/env bash
# awesome-phonenumber 7.8.0, Google's library compiled, beside google-libphonenumber 3.2.47, the same library.
# Guess: both find the same numbers valid. Seen: those that belong to no country (satellite phones, international freephone) are
# "not valid" for awesome-phonenumber, which knows their region as 001.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 awesome-phonenumber@7.8.0 google-libphonenumber@3.2.47
cat > run.mjs <<'CODE'
import { parsePhoneNumber } from 'awesome-phonenumber'
import google from 'google-libphonenumber'

const util = google.PhoneNumberUtil.getInstance()
for (const text of ['+870773111632', '+88213300655', '+80012345678', '+4915123456789']) {
  const { valid, regionCode } = parsePhoneNumber(text)
  console.log(text, 'google', util.isValidNumber(util.parse(text)), '| awesome', valid, regionCode)
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
+870773111632 google true | awesome false 001
+88213300655 google true | awesome false 001
+80012345678 google true | awesome false 001
+4915123456789 google true | awesome true DE
SEEN
echo 'As described.'
