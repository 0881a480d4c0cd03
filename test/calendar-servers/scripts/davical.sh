#!/bin/bash
# davical.sh start|stop|password|readonly|version DIRECTORY PORT [PASSWORD|CALENDAR]: PostgreSQL is at the next port. Needs root.
set -euo pipefail
DO=$1 D=${2:-} PORT=${3:-0}
HERE=$(dirname "$(readlink -f "$0")") PG_PORT=$((PORT + 1))
sql() { psql -qXAt -h 127.0.0.1 -p "$PG_PORT" -U postgres "$@"; }
case $DO in
version) dpkg-query -W -f '${Version}' davical ;;
password) sql -d davical -c "UPDATE usr SET password = '**$4' WHERE username = 'ada'" ;;
readonly)
  # PHP's own server knows neither ACL nor BIND, and DAViCal takes them by POST.
  U=http://127.0.0.1:$PORT/caldav.php
  as() { curl -sf -o /dev/null -u "$1:secret-$1" -H 'Content-Type: application/xml' "${@:2}"; }
  as grace -X MKCALENDAR "$U/grace/$4/"
  as grace -X POST -H 'X-HTTP-Method-Override: ACL' "$U/grace/$4/" --data '<D:acl xmlns:D="DAV:"><D:ace><D:principal><D:href>/caldav.php/ada/</D:href></D:principal><D:grant><D:privilege><D:read/></D:privilege></D:grant></D:ace></D:acl>'
  as ada -X POST -H 'X-HTTP-Method-Override: BIND' "$U/ada/" --data "<D:bind xmlns:D='DAV:'><D:segment>grace-$4</D:segment><D:href>/caldav.php/grace/$4/</D:href></D:bind>"
  printf '%s\n' "/caldav.php/ada/grace-$4/" "/caldav.php/grace/$4/"
  ;;
stop)
  [ -e "$D/pid" ] || exit 0
  kill -- "-$(cat "$D/pid")" 2>/dev/null || true
  rm -f "$D/pid"
  "$HERE/postgres.sh" stop "$D" "$PG_PORT"
  ;;
start)
  mkdir -p "$D"
  "$HERE/postgres.sh" start "$D" "$PG_PORT"
  if [ -z "$(sql -c "SELECT 1 FROM pg_database WHERE datname = 'davical'")" ]; then
    PGHOST=127.0.0.1 PGPORT=$PG_PORT PGUSER=postgres DBAOPTS="--dbhost 127.0.0.1 --dbport $PG_PORT" \
      sh /usr/share/davical/dba/create-database.sh davical secret-admin >"$D/create.log" 2>&1 || { tail "$D/create.log" >&2; exit 1; }
    for user in ada grace; do
      sql -d davical -c "INSERT INTO usr (username, password, fullname, email, active) VALUES ('$user', '**secret-$user', '$user', '$user@example.com', true)" \
        -c "INSERT INTO principal (type_id, user_no, displayname) SELECT 1, user_no, fullname FROM usr WHERE username = '$user'" \
        -c "INSERT INTO collection (user_no, parent_container, dav_name, dav_displayname, is_calendar, is_addressbook, dav_etag, created, modified, default_privileges, resourcetypes) SELECT user_no, '/$user/', '/$user/calendar/', '$user calendar', true, false, '-1', now(), now(), null, '<DAV::collection/><urn:ietf:params:xml:ns:caldav:calendar/>' FROM usr WHERE username = '$user'"
    done
  fi
  cat >"$D/config.php" <<CONF
<?php
\$c->pg_connect[] = 'pgsql:host=127.0.0.1 port=$PG_PORT dbname=davical user=davical_app';
\$c->system_name = 'DAViCal'; \$c->admin_email = 'admin@example.com'; \$c->default_locale = 'en'; \$c->enable_auto_schedule = true;
\$c->home_calendar_name = 'calendar';
CONF
  # It reads its configuration from one place only: this one takes that place in a mount namespace of its own.
  cd "$D"
  PHP_CLI_SERVER_WORKERS=4 setsid unshare -m bash -c 'mount --bind "$0/config.php" /etc/davical/config.php && exec php -d display_errors=0 -d log_errors=1 -d error_log="$0/php.log" -d include_path=.:/usr/share/awl/inc:/usr/share/php -S "127.0.0.1:$1" -t /usr/share/davical/htdocs' "$D" "$PORT" </dev/null >"$D/out.log" 2>&1 &
  echo $! >"$D/pid"
  ;;
esac
