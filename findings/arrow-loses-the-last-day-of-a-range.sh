#!/usr/bin/env bash
# arrow 1.2.3 of Debian 12, with Python 3.11: ranges and shifts in Berlin across the clock changes of 2026.
# Guess: a range includes its end, an hour later is an hour later, and a range of hours lists each hour that elapses.
# Seen: a daily range over the skipped 02:30 lacks its last day. From 01:30 two hours later are three hours later on the night on which
# summer time ends, and the range of hours leaves out the second 02:00.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-arrow=1.2.3-1 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
from arrow import Arrow


def at(*parts):
    return Arrow(*parts, tzinfo='Europe/Berlin')


def show(times):
    return ', '.join(time.format('DD HH:mmZZ') for time in times)


print('three days:', show(Arrow.range('day', at(2026, 3, 28, 2, 30), at(2026, 3, 30, 2, 30))))
print('without a change:', show(Arrow.range('day', at(2026, 3, 1, 2, 30), at(2026, 3, 3, 2, 30))))
night = at(2026, 10, 25, 1, 30)
for hours in (1, 2, 3):
    later = night.shift(hours=hours)
    print(f'{hours} hours later:', later.format('HH:mmZZ'), 'elapsed', (later.to('utc') - night.to('utc')).total_seconds() / 3600)
print('hours:', show(Arrow.range('hour', at(2026, 10, 25, 1), at(2026, 10, 25, 4))))
CODE
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
three days: 28 02:30+01:00, 29 03:30+02:00
without a change: 01 02:30+01:00, 02 02:30+01:00, 03 02:30+01:00
1 hours later: 02:30+02:00 elapsed 1.0
2 hours later: 03:30+01:00 elapsed 3.0
3 hours later: 04:30+01:00 elapsed 4.0
hours: 25 01:00+02:00, 25 02:00+02:00, 25 03:00+01:00, 25 04:00+01:00
SEEN
echo 'As described.'
