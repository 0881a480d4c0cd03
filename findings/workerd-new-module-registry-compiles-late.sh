#!/usr/bin/env bash
# workerd 1.20261102.1: with the flag `new_module_registry` a module is compiled when it is first imported.
# Guess: the flag changes how names resolve, and every module is still compiled at the start. Seen: a module with a syntax error
# that only `import()` reaches lets the Worker start and fails at the import; the default registry refuses to start. The flag needs
# `--experimental`, so that it cannot be deployed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2> /dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit workerd@1.20261102.1
cat > main.js <<'CODE'
export default {
  async fetch() {
    return new Response(await import('late').then(() => 'imported', (error) => error.name))
  },
}
CODE
echo 'export const late = ;' > late.js
config() {
  cat <<CONFIG
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "main", esModule = embed "main.js"), (name = "late", esModule = embed "late.js")],
    compatibilityDate = "2026-11-01",
    compatibilityFlags = [$1],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
CONFIG
}
serve() {
  config "$2" > "$1.capnp"
  node_modules/.bin/workerd serve --experimental --control-fd=3 "$1.capnp" 3> "$1.ports" 2> "$1.log" &
  server=$!
  for _ in $(seq 50); do
    grep -q '"port"' "$1.ports" && break
    kill -0 "$server" 2> /dev/null || break
    sleep 0.2
  done
  port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$1.ports")
  answer=$([ -n "$port" ] && curl -s "http://127.0.0.1:$port/" || true)
  echo "$1: ${answer:-does not start}"
  kill "$server" 2> /dev/null || true
}
{ serve default ''; serve new '"new_module_registry"'; } > seen.txt
diff --unified - seen.txt <<'SEEN'
default: does not start
new: SyntaxError
SEEN
echo 'As described.'
