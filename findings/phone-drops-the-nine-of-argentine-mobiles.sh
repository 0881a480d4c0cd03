#!/usr/bin/env bash
# phone 3.1.72: mobile numbers of Argentina and of Benin in E.164.
# Guess: a number that is in E.164 is returned as it is. Seen: the 9 that marks an Argentine mobile in international calls is
# removed, so the result is the landline with the same digits, and `isValid` is true. The numbers of Benin, which have ten digits
# since November 2024, are not valid. google-libphonenumber 3.2.47 keeps both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 phone@3.1.72 google-libphonenumber@3.2.47
cat > run.mjs <<'CODE'
import google from 'google-libphonenumber'
import { phone } from 'phone'

const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = google
const util = PhoneNumberUtil.getInstance()
const kindOf = (number) => Object.entries(PhoneNumberType).find(([, value]) => value === util.getNumberType(number))[0]
for (const text of ['+5491123456789', '+2290195123456', '+4915123456789']) {
  const { isValid, phoneNumber } = phone(text)
  const parsed = util.parse(text)
  console.log(text, '| phone', isValid, phoneNumber, '| google', util.format(parsed, PhoneNumberFormat.E164), kindOf(parsed))
}
console.log('and the result is a', kindOf(util.parse(phone('+5491123456789').phoneNumber)))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
+5491123456789 | phone true +541123456789 | google +5491123456789 MOBILE
+2290195123456 | phone false null | google +2290195123456 MOBILE
+4915123456789 | phone true +4915123456789 | google +4915123456789 MOBILE
and the result is a FIXED_LINE
SEEN
echo 'As described.'
