#!/usr/bin/env bash
# libecal 3.46 of Debian 12, the calendar library of Evolution and GNOME, with libical 3.0.16: series in Berlin.
# Guess: a start that a clock change skips is at 03:30 and the next at 02:30 again, a repeated one is the first, eight hours of
# DURATION are eight hours, and BYSETPOS chooses a day of each week.
# Seen: the start after a skipped one is an hour late as well, at 03:30 a week later; the repeated one is the second; an hourly series
# leaves out an hour; eight hours of that night end after ten; BYSETPOS of a weekly rule is ignored.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libecal-2.0-2 gir1.2-ecal-2.0 libical3 gir1.2-ical-3.0 libedataserver-1.2-27 gir1.2-edataserver-1.2 libcamel-1.2-64 \
  gir1.2-camel-1.2 libsoup-3.0-0 gir1.2-soup-3.0 libjson-glib-1.0-0 gir1.2-json-1.0 gir1.2-glib-2.0 libgirepository-1.0-1 libnghttp2-14 \
  libpsl5 libbrotli1 python3-gi 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
case $(dpkg-deb -f ./libecal-2.0-2_*.deb Version) in 3.46.*) ;; *) echo 'Not libecal 3.46' && exit 1 ;; esac
cat > run.py <<'CODE'
from datetime import datetime
from zoneinfo import ZoneInfo

import gi

gi.require_version('ICalGLib', '3.0')
gi.require_version('ECal', '2.0')
from gi.repository import ECal, ICalGLib

BERLIN = ZoneInfo('Europe/Berlin')
CASES = {
    'weekly, skipped': ['20260322T023000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=4'],
    'daily, repeated': ['20261024T023000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'],
    'hourly': ['20261025T010000', 'DURATION:PT1H', 'RRULE:FREQ=HOURLY;COUNT=3'],
    'eight hours': ['20261024T220000', 'DURATION:PT8H'],
    'last day of each week': ['20260105T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=-1;COUNT=3'],
}
utc = ICalGLib.Timezone.get_utc_timezone()
find = lambda name, *_: ICalGLib.Timezone.get_builtin_timezone(name)
for name, (start, *lines) in CASES.items():
    event = ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', f'DTSTART;TZID=Europe/Berlin:{start}', *lines, 'END:VEVENT', '']
    found = []
    show = lambda time: datetime.fromtimestamp(time.as_timet_with_zone(time.get_timezone()), BERLIN).strftime('%d.%m. %H:%M%z')
    keep = lambda _, begin, end, *rest: found.append(f'{show(begin)} to {show(end)}' if name == 'eight hours' else show(begin)) or True
    span = [ICalGLib.Time.new_from_string(day) for day in ('20260101T000000Z', '20270101T000000Z')]
    ECal.recur_generate_instances_sync(ICalGLib.Component.new_from_string('\r\n'.join(event)), *span, keep, None, find, None, utc, None)
    print(f"{name}: {', '.join(found)}")
CODE
export LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu GI_TYPELIB_PATH=$PWD/usr/lib/x86_64-linux-gnu/girepository-1.0
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
weekly, skipped: 22.03. 02:30+0100, 29.03. 03:30+0200, 05.04. 03:30+0200, 12.04. 02:30+0200
daily, repeated: 24.10. 02:30+0200, 25.10. 02:30+0100
hourly: 25.10. 01:00+0200, 25.10. 02:00+0100, 25.10. 03:00+0100
eight hours: 24.10. 22:00+0200 to 25.10. 07:00+0100
last day of each week: 05.01. 09:00+0100, 06.01. 09:00+0100, 07.01. 09:00+0100
SEEN
echo 'As described.'
