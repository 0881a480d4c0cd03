#!/usr/bin/env bash
# typed-openapi 2.2.7: `--output` with an absolute path is written below the current folder.
# Guess: an absolute path is where the file goes. Seen: the path is joined to the current folder, the file goes to
# `./absolute/path`, and the program ends with status 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 typed-openapi@2.2.7
echo '{ "openapi": "3.1.0", "info": { "title": "Things", "version": "1" }, "paths": { "/things": { "get": { "responses": { "204": { "description": "Done." } } } } } }' > api.json
mkdir out
node_modules/.bin/node node_modules/typed-openapi/bin.js "$folder/api.json" --output "$folder/out/api.ts" > told.txt
{
  [ -e "$folder/out/api.ts" ] && echo 'at the path' || echo 'not at the path'
  [ -e ".$folder/out/api.ts" ] && echo 'below the current folder' || echo 'not below the current folder'
} > seen.txt
diff --unified - seen.txt <<'SEEN'
not at the path
below the current folder
SEEN
echo 'As described.'
