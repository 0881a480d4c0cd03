#!/bin/bash
# sogo.sh start|stop|password|readonly|version DIRECTORY PORT [PASSWORD|CALENDAR]: PostgreSQL is at the next port. Needs root.
set -euo pipefail
DO=$1 S=${2:-} PORT=${3:-0}
HERE=$(dirname "$(readlink -f "$0")") PG_PORT=$((PORT + 1))
sql() { psql -qXAt -h 127.0.0.1 -p "$PG_PORT" -U postgres "$@"; }
memory() { [ ! -e "$S/memcached.pid" ] || { kill "$(cat "$S/memcached.pid")" 2>/dev/null || true; rm -f "$S/memcached.pid" "$S/memcached.sock"; }; }
case $DO in
version) dpkg-query -W -f '${Version}' sogo ;;
password) sql -d sogo -c "UPDATE sogo_users SET c_password = '$4' WHERE c_uid = 'ada'" ;;
readonly)
  U=http://127.0.0.1:$PORT/SOGo/dav/grace/Calendar/$4/
  as() { curl -sf -o /dev/null -u "$1:secret-$1" -H 'Content-Type: application/xml' "${@:2}" "$U"; }
  as grace -X MKCALENDAR
  as grace -X POST --data '<acl-query xmlns="urn:inverse:params:xml:ns:inverse-dav"><set-roles user="ada"><PublicViewer/></set-roles></acl-query>'
  as ada -X POST --data '<subscribe xmlns="urn:inverse:params:xml:ns:inverse-dav"/>'
  printf '%s\n' "/SOGo/dav/ada/Calendar/grace_$4/" "/SOGo/dav/grace/Calendar/$4/"
  ;;
stop)
  pid=$(cat "$S/sogod.pid" 2>/dev/null) || exit 0
  kill -- "-$pid" 2>/dev/null || true
  for _ in $(seq 20); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  kill -KILL -- "-$pid" 2>/dev/null || true
  rm -f "$S/sogod.pid"
  memory
  "$HERE/postgres.sh" stop "$S" "$PG_PORT"
  ;;
start)
  mkdir -p "$S/home/GNUstep/Defaults" "$S/spool"
  "$HERE/postgres.sh" start "$S" "$PG_PORT"
  if [ -z "$(sql -c "SELECT 1 FROM pg_database WHERE datname = 'sogo'")" ]; then
    sql -c 'CREATE DATABASE sogo'
    sql -d sogo -c "CREATE TABLE sogo_users (c_uid text PRIMARY KEY, c_name text, c_password text, c_cn text, mail text)" \
      -c "INSERT INTO sogo_users VALUES ('ada', 'ada', 'secret-ada', 'Ada Lovelace', 'ada@example.com'), ('grace', 'grace', 'secret-grace', 'Grace Hopper', 'grace@example.com')"
  fi
  U=postgresql://postgres:x@127.0.0.1:$PG_PORT/sogo
  cat >"$S/sogo.conf" <<CONF
{
  WOPort = "127.0.0.1:$PORT"; WOWorkersCount = 3; WOLogFile = "$S/sogo.log"; WOPidFile = "$S/sogo.pid"; WONoDetach = YES;
  SxVMemLimit = 1024; SOGoMemcachedHost = "$S/memcached.sock";
  SOGoProfileURL = "$U/sogo_user_profile"; OCSFolderInfoURL = "$U/sogo_folder_info";
  OCSSessionsFolderURL = "$U/sogo_sessions_folder"; OCSEMailAlarmsFolderURL = "$U/sogo_alarms_folder";
  SOGoTimeZone = UTC; SOGoLanguage = English; SOGoMailDomain = example.com;
  SOGoAppointmentSendEMailNotifications = NO; SOGoCalendarDefaultRoles = (); SOGoMailingMechanism = smtp; SOGoSMTPServer = "smtp://127.0.0.1:9";
  SOGoUserSources = ({ type = sql; id = directory; viewURL = "$U/sogo_users"; canAuthenticate = YES; isAddressBook = YES; displayName = "People"; userPasswordAlgorithm = plain; });
  SOGoSuperUsernames = ();
}
CONF
  chown sogo:sogo "$S" "$S/sogo.conf" "$S/home" "$S/spool"
  chown -R sogo:sogo "$S/home" "$S/spool"
  # A cache that outlives the restored database would hide what was restored.
  memory
  memcached -u sogo -s "$S/memcached.sock" -a 777 -m 16 -d -P "$S/memcached.pid"
  # It reads its configuration from one place only: this one takes that place in a mount namespace of its own.
  cd "$S"
  setsid unshare -m bash -c 'mount --bind "$0/sogo.conf" /etc/sogo/sogo.conf && exec setpriv --reuid sogo --regid sogo --init-groups env HOME="$0/home" /usr/sbin/sogod -WOUseWatchDog YES -WONoDetach YES -WOPort "127.0.0.1:$1" -WOPidFile "$0/sogo.pid" -WOLogFile "$0/sogo.log"' "$S" "$PORT" </dev/null >"$S/out.log" 2>&1 &
  echo $! >"$S/sogod.pid"
  ;;
esac
