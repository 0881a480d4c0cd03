#!/bin/bash
# A PostgreSQL of its own in DIRECTORY/pg on 127.0.0.1:PORT: postgres.sh start|stop DIRECTORY PORT
set -euo pipefail
DO=$1 PG=$2/pg PORT=$3
BIN=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { setpriv --reuid postgres --regid postgres --init-groups env HOME="$PG" PATH="$BIN:$PATH" "$@"; }
if [ "$DO" = stop ]; then
  as pg_ctl -D "$PG/data" -m fast -w stop >/dev/null 2>&1 || true
  exit
fi
mkdir -p "$PG"
chown postgres "$PG"
[ -e "$PG/data/PG_VERSION" ] || as initdb -D "$PG/data" -A trust -U postgres --locale=C.UTF-8 >"$PG/initdb.log"
as pg_ctl -D "$PG/data" status >/dev/null 2>&1 || as pg_ctl -w -D "$PG/data" -l "$PG/log" \
  -o "-p $PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=$PG -c fsync=off" start >/dev/null
