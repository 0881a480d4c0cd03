#!/usr/bin/env bash
# APScheduler 3.9.1 of Debian 12, with Python 3.11: `CronTrigger.from_crontab`, in UTC and in Berlin.
# Guess: it reads what crontab reads, so that 0 and 7 are Sunday, 1-5 is Monday to Friday, and `0 0 13 * 5` is each Friday and 13th.
# Seen: 0 is Monday. 1-5 runs from Tuesday to Saturday, 7 is refused, and the 13th counts only if it is a Saturday, too. A repeated 02:30
# runs in the second hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-apscheduler=3.9.1-2 python3-tz=2022.7.1-4 python3-tzlocal python3-pytz-deprecation-shim python3-dateutil=2.8.2-2 \
  python3-six=1.16.0-4 python3-pkg-resources 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
import warnings

warnings.simplefilter('ignore')
from datetime import datetime, timedelta

import pytz
from apscheduler.triggers.cron import CronTrigger

for text, name in [('0 9 * * 0', 'UTC'), ('0 9 * * 1-5', 'UTC'), ('0 9 * * sun', 'UTC'), ('0 9 * * 7', 'UTC'), ('0 0 13 * 5', 'UTC'), ('30 2 * * *', 'Europe/Berlin')]:
    zone = pytz.timezone(name)
    try:
        trigger = CronTrigger.from_crontab(text, timezone=zone)
    except ValueError as error:
        print(f'{text}: {error}')
        continue
    runs, now = [], zone.localize(datetime(2026, 10, 25))
    while len(runs) < 5:
        now = trigger.get_next_fire_time(None, now) + timedelta(seconds=1)
        runs.append(now.strftime('%a %d.%m.%Y %H:%M%z'))
    print(f"{text}: {', '.join(runs)}")
CODE
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
0 9 * * 0: Mon 26.10.2026 09:00+0000, Mon 02.11.2026 09:00+0000, Mon 09.11.2026 09:00+0000, Mon 16.11.2026 09:00+0000, Mon 23.11.2026 09:00+0000
0 9 * * 1-5: Tue 27.10.2026 09:00+0000, Wed 28.10.2026 09:00+0000, Thu 29.10.2026 09:00+0000, Fri 30.10.2026 09:00+0000, Sat 31.10.2026 09:00+0000
0 9 * * sun: Sun 25.10.2026 09:00+0000, Sun 01.11.2026 09:00+0000, Sun 08.11.2026 09:00+0000, Sun 15.11.2026 09:00+0000, Sun 22.11.2026 09:00+0000
0 9 * * 7: Error validating expression '7': the last value (7) is higher than the maximum value (6)
0 0 13 * 5: Sat 13.02.2027 00:00+0000, Sat 13.03.2027 00:00+0000, Sat 13.11.2027 00:00+0000, Sat 13.05.2028 00:00+0000, Sat 13.01.2029 00:00+0000
30 2 * * *: Sun 25.10.2026 02:30+0100, Mon 26.10.2026 02:30+0100, Tue 27.10.2026 02:30+0100, Wed 28.10.2026 02:30+0100, Thu 29.10.2026 02:30+0100
SEEN
echo 'As described.'
