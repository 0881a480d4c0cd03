#!/usr/bin/env bash
# ice_cube 0.16.4 of Debian 12, with Ruby 3.1: `Schedule.from_ical`, and rules of dates that a month or year lacks, in Berlin.
# Guess: a start with TZID is in that zone, BYSETPOS is followed or refused, and months without the day are left out (RFC 5545).
# Seen: 09:00 in New York is 09:00 in the zone of the process, the last weekday of a month is each weekday, the 31st becomes the last day
# of shorter months and 29 February becomes 28 February.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-ice-cube=0.16.4-3 ruby3.1 libruby3.1 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.rb <<'CODE'
require 'date'
require 'time'
require 'ice_cube'

CASES = {
  'New York' => "DTSTART;TZID=America/New_York:20260706T090000\nRRULE:FREQ=DAILY;COUNT=2",
  'UTC' => "DTSTART:20260706T130000Z\nRRULE:FREQ=DAILY;COUNT=2",
  'last weekday' => "DTSTART:20260731T130000Z\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4",
  'the 31st' => "DTSTART:20260131T090000Z\nRRULE:FREQ=MONTHLY;COUNT=4",
  '29 February' => "DTSTART:20240229T090000Z\nRRULE:FREQ=YEARLY;COUNT=3"
}
CASES.each do |name, text|
  times = IceCube::Schedule.from_ical(text).all_occurrences
  puts "#{name}: #{times.map { |time| time.to_time.utc.strftime('%Y-%m-%d %H:%M') }.join(', ')}"
end
CODE
lib=$PWD/usr/lib
export TZ=Europe/Berlin LD_LIBRARY_PATH=$lib/x86_64-linux-gnu RUBYLIB=$lib/ruby/vendor_ruby:$lib/ruby/3.1.0:$lib/x86_64-linux-gnu/ruby/3.1.0
usr/bin/ruby3.1 --disable-gems -I usr/share/rubygems-integration/all/gems/ice_cube-0.16.4/lib run.rb > seen.txt
diff --unified - seen.txt <<'SEEN'
New York: 2026-07-06 07:00, 2026-07-07 07:00
UTC: 2026-07-06 13:00, 2026-07-07 13:00
last weekday: 2026-07-31 13:00, 2026-08-03 13:00, 2026-08-04 13:00, 2026-08-05 13:00
the 31st: 2026-01-31 09:00, 2026-02-28 09:00, 2026-03-31 09:00, 2026-04-30 09:00
29 February: 2024-02-29 09:00, 2025-02-28 09:00, 2026-02-28 09:00
SEEN
echo 'As described.'
