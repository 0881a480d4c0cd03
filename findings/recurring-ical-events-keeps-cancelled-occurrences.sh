#!/usr/bin/env bash
# recurring-ical-events 2.0.1 of Debian 12, with python3-icalendar 4.0.3.
# Guess: a cancelled occurrence is left out, RANGE=THISANDFUTURE moves all later ones, `P1D` lasts until the same time of the next day
# (RFC 5545, section 3.3.6), and an RDATE may be a period.
# Seen: the cancelled one is listed, one date is moved, the day on which summer time ends lasts 24 hours, and a period raises TypeError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-recurring-ical-events=2.0.1-1 python3-x-wr-timezone=0.0.5-2 python3-icalendar=4.0.3-5 python3-tz=2022.7.1-4 \
  python3-dateutil=2.8.2-2 python3-six=1.16.0-4 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
import recurring_ical_events
from icalendar import Calendar

SERIES = ['DTSTART;TZID=Europe/Berlin:20260701T090000', 'DURATION:PT1H']
DAILY = 'RRULE:FREQ=DAILY;COUNT=3'
SECOND = 'RECURRENCE-ID;TZID=Europe/Berlin:20260702T090000'
CASES = {
    'cancelled': [SERIES + [DAILY], [SECOND, 'DTSTART;TZID=Europe/Berlin:20260702T090000', 'STATUS:CANCELLED']],
    'moved': [
        SERIES + [DAILY],
        [SECOND.replace('ID;', 'ID;RANGE=THISANDFUTURE;'), 'DTSTART;TZID=Europe/Berlin:20260702T150000'],
    ],
    'a day': [['DTSTART;TZID=Europe/Berlin:20261025T000000', 'DURATION:P1D']],
    'period': [SERIES + ['RDATE;VALUE=PERIOD:20260705T070000Z/PT3H']],
}
for name, events in CASES.items():
    lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN']
    for event in events:
        lines += ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', *event, 'END:VEVENT']
    calendar = Calendar.from_ical('\r\n'.join([*lines, 'END:VCALENDAR', '']))
    try:
        found = recurring_ical_events.of(calendar).between((2026, 1, 1), (2027, 1, 1))
        found.sort(key=lambda event: event['DTSTART'].dt)
        for event in found:
            print(f"{name}: {event['DTSTART'].dt.isoformat()} to {event['DTEND'].dt.isoformat()} {event.get('STATUS', '')}".rstrip())
    except TypeError as error:
        print(f'{name}: {type(error).__name__}')
CODE
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
cancelled: 2026-07-01T09:00:00+02:00 to 2026-07-01T10:00:00+02:00
cancelled: 2026-07-02T09:00:00+02:00 to 2026-07-02T09:00:00+02:00 CANCELLED
cancelled: 2026-07-03T09:00:00+02:00 to 2026-07-03T10:00:00+02:00
moved: 2026-07-01T09:00:00+02:00 to 2026-07-01T10:00:00+02:00
moved: 2026-07-02T15:00:00+02:00 to 2026-07-02T15:00:00+02:00
moved: 2026-07-03T09:00:00+02:00 to 2026-07-03T10:00:00+02:00
a day: 2026-10-25T00:00:00+02:00 to 2026-10-26T00:00:00+02:00
period: TypeError
SEEN
echo 'As described.'
