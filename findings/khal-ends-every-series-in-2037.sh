#!/usr/bin/env bash
# khal 0.10.5 of Debian 12: yearly and nightly series, a cancelled occurrence and an extra period.
# Guess: a series without an end is listed in any year that is asked for, a night ends at 06:00 by the clock, a cancelled occurrence is
# left out and an extra period is a time more.
# Seen: no series has an occurrence after 2037; after a first night of nine hours, on which summer time ends, the next ends at 07:00; the
# cancelled one is listed, and the whole event with the period is left out with a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq khal=1:0.10.5-1.1 python3-atomicwrites python3-click python3-click-log python3-configobj python3-pytz-deprecation-shim \
  python3-tzlocal python3-urwid python3-xdg python3-icalendar python3-tz python3-dateutil python3-six python3-pkg-resources 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
printf '%s\n' '[calendars]' '[[x]]' "path = $folder/x" '[locale]' local_timezone=Europe/Berlin default_timezone=Europe/Berlin timeformat=%H:%M \
  dateformat=%Y-%m-%d longdateformat=%Y-%m-%d 'datetimeformat=%Y-%m-%d %H:%M' 'longdatetimeformat=%Y-%m-%d %H:%M' '[sqlite]' \
  "path = $folder/db" > khal.conf
export PYTHONPATH=$PWD/usr/lib/python3/dist-packages HOME=$folder LC_ALL=C.UTF-8
show() {
  name=$1 from=$2
  shift 2
  rm -rf x db && mkdir x
  {
    printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:x BEGIN:VEVENT UID:a DTSTAMP:20260101T000000Z SUMMARY:x "$@" END:VEVENT END:VCALENDAR
  } > x/a.ics
  format='{start-date} {start-time} to {end-time} {status}'
  echo "$name: $(/usr/bin/python3 -W ignore usr/bin/khal -c khal.conf list --day-format '' --format "$format" "$from" 6d 2>/dev/null | uniq | paste -sd,)"
}
berlin=';TZID=Europe/Berlin'
again=(END:VEVENT BEGIN:VEVENT UID:a DTSTAMP:20260101T000000Z SUMMARY:x)
daily=(DTSTART"$berlin":20260706T090000 DURATION:PT1H 'RRULE:FREQ=DAILY;COUNT=2')
{
  for year in 2037 2038; do show "birthday in $year" "$year-07-01" 'DTSTART;VALUE=DATE:20260703' RRULE:FREQ=YEARLY; done
  show 'nights' 2026-10-24 DTSTART"$berlin":20261024T220000 DTEND"$berlin":20261025T060000 'RRULE:FREQ=DAILY;COUNT=2'
  show 'cancelled' 2026-07-06 "${daily[@]}" "${again[@]}" RECURRENCE-ID"$berlin":20260707T090000 DTSTART"$berlin":20260707T090000 STATUS:CANCELLED
  show 'extra date' 2026-07-06 "${daily[@]}" RDATE"$berlin":20260710T090000
  show 'extra period' 2026-07-06 "${daily[@]}" 'RDATE;VALUE=PERIOD:20260710T070000Z/PT1H'
} > seen.txt
diff --unified - seen.txt <<'SEEN'
birthday in 2037: 2037-07-03  to  
birthday in 2038: 
nights: 2026-10-24 22:00 to 06:00 ,2026-10-25 22:00 to 07:00 
cancelled: 2026-07-06 09:00 to 10:00 ,2026-07-07 09:00 to 10:00 CANCELLED 
extra date: 2026-07-06 09:00 to 10:00 ,2026-07-07 09:00 to 10:00 ,2026-07-10 09:00 to 10:00 
extra period: 
SEEN
echo 'As described.'
