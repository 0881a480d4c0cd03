#!/usr/bin/env bash
# dateparser 1.1.6 of Debian 12, with Python 3.11: what people write about a meeting, on 8 July 2026 at 12:00, in English.
# Guess: it returns the time that is written or None, and abbreviations mean the place that most people mean.
# Seen: `tomorrow at 9 CET` and `tomorrow at 9 UTC` are at noon, `tomorrow 17h` is 05:00 two days later, BST is Bougainville (UTC+11) and
# IST is Israel. `next monday` is None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-dateparser=1.1.6-1 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-tzlocal \
  python3-pytz-deprecation-shim python3-regex 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'CODE'
import warnings

warnings.simplefilter('ignore')
from datetime import datetime

import dateparser

SETTINGS = {'RELATIVE_BASE': datetime(2026, 7, 8, 12), 'PREFER_DATES_FROM': 'future'}
for text in ['tomorrow at 9:00', 'tomorrow at 9 CET', 'tomorrow at 9 UTC', 'tomorrow at 9am CET', 'tomorrow 17h', 'tomorrow 17:00', '10 July 2026 9:00 BST',
             '10 July 2026 9:00 IST', 'monday', 'next monday']:
    print(f'{text}: {dateparser.parse(text, languages=["en"], settings=SETTINGS)}')
CODE
PYTHONPATH=usr/lib/python3/dist-packages TZ=UTC /usr/bin/python3 run.py > seen.txt
diff --unified - seen.txt <<'SEEN'
tomorrow at 9:00: 2026-07-09 09:00:00
tomorrow at 9 CET: 2026-07-09 12:00:00+01:00
tomorrow at 9 UTC: 2026-07-09 12:00:00+00:00
tomorrow at 9am CET: 2026-07-09 09:00:00+01:00
tomorrow 17h: 2026-07-10 05:00:00
tomorrow 17:00: 2026-07-09 17:00:00
10 July 2026 9:00 BST: 2026-07-10 09:00:00+11:00
10 July 2026 9:00 IST: 2026-07-10 09:00:00+02:00
monday: 2026-07-13 00:00:00
next monday: None
SEEN
echo 'As described.'
