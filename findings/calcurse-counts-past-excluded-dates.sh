#!/usr/bin/env bash
# calcurse 4.7.1 of Debian 12: what it makes of series when it imports a calendar file.
# Guess: EXDATE takes a date out of those that COUNT counts (RFC 5545, section 3.8.5.1), BYSETPOS is followed or the event is refused
# as other rules are, a changed occurrence replaces its original, and RDATE adds a time.
# Seen: a series goes on for as long as dates are excluded, BYSETPOS is dropped without a word, a moved occurrence is there at both
# of its times, and RDATE is left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq calcurse=4.7.1-1 2>/dev/null
dpkg-deb -x ./*.deb .
export TZ=UTC LC_ALL=C.UTF-8
event() {
  printf '%s\r\n' BEGIN:VEVENT UID:x DTSTAMP:20260101T000000Z SUMMARY:x "$@" END:VEVENT
}
show() {
  name=$1
  rm -rf data && mkdir data
  { printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:x && cat && printf '%s\r\n' END:VCALENDAR; } > x.ics
  usr/bin/calcurse -q -D data -i x.ics > told.txt
  echo "$name: $(usr/bin/calcurse -D data -Q --from 01/01/2026 --to 04/30/2026 | grep -oE '^[0-9]{2}/[0-9]{2}|[0-9]{2}:[0-9]{2} ->' | tr -d '>-' | xargs)"
}
{
  first=(DTSTART:20260105T100000Z DTEND:20260105T110000Z)
  event "${first[@]}" 'RRULE:FREQ=DAILY;COUNT=3' EXDATE:20260106T100000Z | show 'COUNT=3 without the 6th'
  event DTSTART:20260130T100000Z DTEND:20260130T110000Z 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3' | show 'last weekday of a month'
  { event "${first[@]}" 'RRULE:FREQ=DAILY;COUNT=2' && event RECURRENCE-ID:20260106T100000Z DTSTART:20260107T150000Z DTEND:20260107T160000Z; } | show 'the 6th moved to the 7th'
  event "${first[@]}" RDATE:20260120T100000Z | show 'RDATE'
} > seen.txt
diff --unified - seen.txt <<'SEEN'
COUNT=3 without the 6th: 01/05 10:00 01/07 10:00 01/08 10:00
last weekday of a month: 01/30 10:00 02/02 10:00 02/03 10:00
the 6th moved to the 7th: 01/05 10:00 01/06 10:00 01/07 15:00
RDATE: 01/05 10:00
SEEN
echo 'As described.'
