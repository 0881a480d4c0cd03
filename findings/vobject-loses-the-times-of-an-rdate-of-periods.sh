#!/usr/bin/env bash
# vobject 0.9.6.1 of Debian 12 (python3-vobject), with which Radicale expands events.
# Guess: an RDATE of VALUE=PERIOD adds the period's start (RFC 5545, section 3.8.5.2), or is left out.
# Seen: the event has no time at all, not even its DTSTART. With an RDATE of date-times it has both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-vobject=0.9.6.1-2 python3-dateutil python3-six 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
import vobject

for rdate in ['RDATE:20260106T100000Z', 'RDATE;VALUE=PERIOD:20260106T100000Z/PT2H']:
    event = ['BEGIN:VEVENT', 'UID:x', 'DTSTART:20260105T100000Z', 'DTEND:20260105T110000Z', rdate, 'END:VEVENT']
    calendar = vobject.readOne('\r\n'.join(['BEGIN:VCALENDAR', *event, 'END:VCALENDAR', '']))
    print(rdate, *[f'{time:%d}' for time in calendar.vevent.getrruleset(addRDate=True)])
CODE
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
RDATE:20260106T100000Z 05 06
RDATE;VALUE=PERIOD:20260106T100000Z/PT2H
SEEN
echo 'As described.'
