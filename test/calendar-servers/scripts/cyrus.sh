#!/bin/bash
# cyrus.sh start|stop|password|readonly|version DIRECTORY PORT [PASSWORD|CALENDAR]: IMAP is at the next port. Needs root.
set -euo pipefail
DO=$1 C=${2:-} PORT=${3:-}
secret() { printf '%s' "$2" | saslpasswd2 -p -c -f "$C/sasldb2" -u "$(hostname)" "$1"; }
case $DO in
version) dpkg-query -W -f '${Version}' cyrus-caldav ;;
password) secret ada "$4" ;;
readonly)
  python3 - "$((PORT + 1))" "$4" <<'PY'
import imaplib, sys
admin = imaplib.IMAP4('127.0.0.1', int(sys.argv[1])); admin.login('cyrus', 'secret-cyrus')
admin.setacl('user/ada/#calendars/' + sys.argv[2], 'ada', 'lr9')
admin.setacl('user/ada/#calendars/' + sys.argv[2], 'grace', 'lrswipkxtecdan9')
PY
  printf '%s\n' "/dav/calendars/user/ada/$4/" "/dav/calendars/user/ada/$4/"
  ;;
stop)
  pid=$(cat "$C/master.pid" 2>/dev/null) || exit 0
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 40); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  rm -f "$C/master.pid"
  ;;
start)
  mkdir -p "$C"/{conf,spool,run/proc,run/lock,run/socket}
  cat >"$C/imapd.conf" <<CONF
configdirectory: $C/conf
proc_path: $C/run/proc
mboxname_lockpath: $C/run/lock
defaultpartition: default
partition-default: $C/spool
altnamespace: yes
unixhierarchysep: yes
virtdomains: off
admins: cyrus
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: $C/sasldb2
sasl_mech_list: PLAIN
httpmodules: caldav
autocreate_quota: 0
autocreate_post: yes
caldav_create_default: yes
caldav_create_sched: yes
lmtpsocket: $C/run/socket/lmtp
idlesocket: $C/run/socket/idle
notifysocket: $C/run/socket/notify
CONF
  cat >"$C/cyrus.conf" <<CONF
START { recover cmd="/usr/sbin/cyrus -C $C/imapd.conf ctl_cyrusdb -r" }
SERVICES {
  imap cmd="/usr/lib/cyrus/bin/imapd -C $C/imapd.conf" listen="127.0.0.1:$((PORT + 1))" prefork=0
  http cmd="/usr/lib/cyrus/bin/httpd -C $C/imapd.conf" listen="127.0.0.1:$PORT" prefork=1 maxchild=20
}
EVENTS { checkpoint cmd="/usr/sbin/cyrus -C $C/imapd.conf ctl_cyrusdb -c" period=30 }
CONF
  [ -e "$C/sasldb2" ] || { for user in ada grace cyrus; do secret $user "secret-$user"; done; }
  mkdir -p "$C/conf"/{db,socket,proc,log,msg,lock,ptclient,quota,user}
  chown -R cyrus:mail "$C"
  setsid /usr/sbin/cyrmaster -C "$C/imapd.conf" -M "$C/cyrus.conf" -p "$C/master.pid" </dev/null >"$C/out.log" 2>&1 &
  for _ in $(seq 80); do curl -s -o /dev/null "http://127.0.0.1:$PORT/" && break; sleep 0.25; done
  python3 - "$((PORT + 1))" <<'PY'
import imaplib, sys
admin = imaplib.IMAP4('127.0.0.1', int(sys.argv[1])); admin.login('cyrus', 'secret-cyrus')
for user in ('ada', 'grace'): admin.create('user/' + user)
PY
  ;;
esac
