#!/usr/bin/env bash
# systemd 252.39 of Debian 12: timers whose OnCalendar names a zone, on the nights on which the clock changes.
# Guess: a daily timer at 02:30 elapses at 03:00 or 03:30 on the day that has no 02:30, and an hourly one every hour.
# Seen: the daily timer does not elapse on that day, the hourly one leaves out the second hour at 02:00 in October, and the
# half-hourly one on Lord Howe Island the half hour that is repeated.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq systemd libsystemd-shared 2>/dev/null
for package in ./*.deb; do
  case $(dpkg-deb -f "$package" Version) in 252.*) dpkg-deb -x "$package" . ;; *) echo "Not systemd 252: $package" && exit 1 ;; esac
done
export TZ=UTC LC_ALL=C.UTF-8 LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu/systemd
show() {
  echo "$3: $(usr/bin/systemd-analyze calendar --iterations 4 --base-time "$1" "$2" | grep -oE '[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} UTC' | cut -c1-11 | paste -sd, -)"
}
{
  show '2026-03-28 00:00 UTC' '*-*-* 02:30 Europe/Berlin' '02:30 in Berlin'
  show '2026-10-24 23:10 UTC' '*-*-* *:00 Europe/Berlin' 'each hour in Berlin'
  show '2026-04-04 13:40 UTC' '*-*-* *:00/30 Australia/Lord_Howe' 'each half hour on Lord Howe Island'
} > seen.txt
diff --unified - seen.txt <<'SEEN'
02:30 in Berlin: 03-28 01:30,03-30 00:30,03-31 00:30,04-01 00:30
each hour in Berlin: 10-25 00:00,10-25 02:00,10-25 03:00,10-25 04:00
each half hour on Lord Howe Island: 04-04 14:00,04-04 14:30,04-04 15:30,04-04 16:00
SEEN
echo 'As described.'
