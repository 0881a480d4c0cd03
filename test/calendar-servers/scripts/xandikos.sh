#!/bin/bash
# xandikos.sh start|stop|version DIRECTORY PORT. It asks nobody for a password, so there is none to change.
set -euo pipefail
DO=$1 D=${2:-} PORT=${3:-}
case $DO in
version) dpkg-query -W -f '${Version}' xandikos ;;
stop)
  pid=$(cat "$D/pid" 2>/dev/null) || exit 0
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 40); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  rm -f "$D/pid"
  ;;
start)
  mkdir -p "$D/data"
  setsid xandikos -d "$D/data" -l 127.0.0.1 -p "$PORT" --current-user-principal /ada/ --defaults </dev/null >"$D/log" 2>&1 &
  echo $! >"$D/pid"
  ;;
esac
