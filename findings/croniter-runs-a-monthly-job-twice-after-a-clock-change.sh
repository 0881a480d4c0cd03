#!/usr/bin/env bash
# croniter 1.3.5 of Debian 12, with Python 3.11: schedules in Berlin, with a zone of zoneinfo and one of pytz.
# Guess: a run is at the wall time that the expression names, once, whichever of the two gives the zone.
# Seen: with zoneinfo the monthly job of the 31st runs on 31 March at 08:00 and at 09:00, the daily one on 26 October an hour late, and
# the hourly one pauses for three hours. With pytz the daily job of 02:30 runs twice on 29 March, at 01:30 and 03:30, and twice on the 30th.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-croniter=1.3.5-3 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-natsort 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytz
from croniter import croniter

NAME = 'Europe/Berlin'
ZONES = {
    'zoneinfo': lambda *parts: datetime(*parts, tzinfo=ZoneInfo(NAME)),
    'pytz': lambda *parts: pytz.timezone(NAME).localize(datetime(*parts)),
}
CASES = [('0 9 31 * *', 2026, 1, 1), ('30 2 * * *', 2026, 10, 24, 12), ('0 * * * *', 2026, 10, 24, 23, 30), ('30 2 * * *', 2026, 3, 28, 12)]
for name, make in ZONES.items():
    for text, *start in CASES:
        runs = croniter(text, make(*start))
        shown = [runs.get_next(datetime).astimezone(UTC).astimezone(ZoneInfo(NAME)).strftime('%d.%m. %H:%M%z')[:-2] for _ in range(5)]
        print(f"{name} {text}: {', '.join(shown)}")
CODE
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
zoneinfo 0 9 31 * *: 31.01. 09:00+01, 31.03. 08:00+02, 31.03. 09:00+02, 31.05. 09:00+02, 31.07. 09:00+02
zoneinfo 30 2 * * *: 25.10. 02:30+02, 26.10. 03:30+01, 27.10. 02:30+01, 28.10. 02:30+01, 29.10. 02:30+01
zoneinfo 0 * * * *: 25.10. 00:00+02, 25.10. 01:00+02, 25.10. 02:00+02, 25.10. 04:00+01, 25.10. 05:00+01
zoneinfo 30 2 * * *: 29.03. 03:30+02, 30.03. 02:30+02, 31.03. 02:30+02, 01.04. 02:30+02, 02.04. 02:30+02
pytz 0 9 31 * *: 31.01. 09:00+01, 31.03. 09:00+02, 31.05. 09:00+02, 31.07. 09:00+02, 31.08. 09:00+02
pytz 30 2 * * *: 25.10. 02:30+02, 26.10. 02:30+01, 27.10. 02:30+01, 28.10. 02:30+01, 29.10. 02:30+01
pytz 0 * * * *: 25.10. 00:00+02, 25.10. 01:00+02, 25.10. 02:00+02, 25.10. 03:00+01, 25.10. 04:00+01
pytz 30 2 * * *: 29.03. 01:30+01, 29.03. 03:30+02, 30.03. 01:30+02, 30.03. 02:30+02, 31.03. 02:30+02
SEEN
echo 'As described.'
