#!/bin/bash
# radicale.sh start|stop|password|readonly|version DIRECTORY PORT [PASSWORD|CALENDAR]: of the user ada
set -euo pipefail
DO=$1 D=${2:-} PORT=${3:-}
case $DO in
version) dpkg-query -W -f '${Version}' radicale ;;
password) printf 'ada:%s\ngrace:secret-grace\n' "$4" >"$D/users" ;;
readonly)
  mv "$D/collections/collection-root/ada/$4" "$D/collections/collection-root/ada/readonly-$4"
  printf '%s\n' "/ada/readonly-$4/" "/ada/readonly-$4/"
  ;;
stop)
  pid=$(cat "$D/pid" 2>/dev/null) || exit 0
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 40); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  rm -f "$D/pid"
  ;;
start)
  mkdir -p "$D"
  [ -e "$D/users" ] || printf 'ada:secret-ada\ngrace:secret-grace\n' >"$D/users"
  cat >"$D/rights" <<'RIGHTS'
[readonly]
user: ada
collection: ada/readonly-[^/]+
permissions: ri
[editor]
user: grace
collection: ada/readonly-[^/]+
permissions: rw
[owner]
user: .+
collection: {user}(/.*)?
permissions: RrWw
[root]
user: .+
collection:
permissions: R
RIGHTS
  setsid radicale --config '' --server-hosts "127.0.0.1:$PORT" --server-ssl False --auth-type htpasswd \
    --auth-htpasswd-filename "$D/users" --auth-htpasswd-encryption plain --auth-delay 0 --rights-type from_file --rights-file "$D/rights" \
    --storage-filesystem-folder "$D/collections" </dev/null >"$D/log" 2>&1 &
  echo $! >"$D/pid"
  ;;
esac
