#!/usr/bin/env bash
# Xandikos 0.2.8 of Debian 12 (0.2.12 of Debian 13 is the same, 0.3.0 expands rules).
# Guess: a time range finds a series by each of its times (RFC 4791, section 9.9).
# Seen: it compares DTSTART and DTEND only, so a weekly series is found in its first week and in no other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq xandikos=0.2.8-1 python3-icalendar python3-dateutil python3-tz python3-dulwich 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
from datetime import datetime, timedelta, timezone

from icalendar.cal import Calendar
from xandikos.icalendar import CalendarFilter


class File:
    content_type = 'text/calendar'

    def __init__(self, *lines):
        event = ['BEGIN:VEVENT', 'UID:x', 'DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z', *lines, 'END:VEVENT']
        self.calendar = Calendar.from_ical('\r\n'.join(['BEGIN:VCALENDAR', *event, 'END:VCALENDAR', '']))


def is_found(file, day):
    wanted = CalendarFilter(timezone.utc)
    wanted.filter_subcomponent('VCALENDAR').filter_subcomponent('VEVENT').filter_time_range(day, day + timedelta(days=1))
    return wanted.check('x.ics', file)


for name, lines in {'weekly': ['RRULE:FREQ=WEEKLY'], 'by dates': ['RDATE:20260112T100000Z']}.items():
    days = [datetime(2026, 1, day, tzinfo=timezone.utc) for day in (5, 12)]
    print(name, *[f'{day:%d} {is_found(File(*lines), day)}' for day in days])
CODE
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
weekly 05 True 12 False
by dates 05 True 12 False
SEEN
echo 'As described.'
