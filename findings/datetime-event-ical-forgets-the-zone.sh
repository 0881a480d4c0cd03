#!/usr/bin/env bash
# DateTime::Event::ICal 0.13 of Debian 12: a series whose start has a zone, expanded, and written by DateTime::Format::ICal 0.09.
# Guess: each occurrence has the zone of the start, the last one is there if UNTIL names it, and a rule is written as a rule.
# Seen: the occurrences have no zone, so that turning them into UTC leaves 09:00 as 09:00. UNTIL in UTC is compared with that clock and
# leaves out the last one. A skipped 02:30 is listed. What is written is a list of dates without a zone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
options=(--recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances)
mapfile -t packages < <(apt-cache depends "${options[@]}" libdatetime-event-ical-perl libdatetime-format-ical-perl | grep '^lib.*-perl' | sort -u)
apt-get download -qq "${packages[@]}" 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.pl <<'CODE'
use strict;
use warnings;
use DateTime;
use DateTime::Event::ICal;
use DateTime::Format::ICal;
print "$DateTime::Event::ICal::VERSION $DateTime::Format::ICal::VERSION\n";
my @night = (year => 2026, month => 3, day => 28, time_zone => 'Europe/Berlin');
my $morning = DateTime->new(@night, hour => 9);
sub show { join ', ', map { my $zone = $_->time_zone->name; $_->set_time_zone('UTC')->strftime('%m-%dT%H:%M ') . $zone } $_[0]->as_list }
print "start: ", $morning->clone->set_time_zone('UTC')->strftime('%m-%dT%H:%M'), " in UTC\n";
my $daily = DateTime::Event::ICal->recur(dtstart => $morning, freq => 'daily', count => 3);
print "daily: ", show($daily), "\n";
print "until: ", show(DateTime::Format::ICal->parse_recurrence(recurrence => 'FREQ=DAILY;UNTIL=20260330T070000Z', dtstart => $morning)), "\n";
my $skipped = DateTime->new(@night, hour => 2, minute => 30);
print "02:30: ", show(DateTime::Event::ICal->recur(dtstart => $skipped, freq => 'daily', count => 3)), "\n";
print "written: $_\n" for DateTime::Format::ICal->format_recurrence(DateTime::Event::ICal->recur(dtstart => $morning, freq => 'daily', count => 3));
CODE
share=usr/share/perl5
native=$(perl -MConfig -e 'print $Config{vendorarch}')
PERL5LIB=$PWD/$share:$PWD$native perl run.pl > seen.txt
diff --unified - seen.txt <<'SEEN'
0.13 0.09
start: 03-28T08:00 in UTC
daily: 03-28T09:00 floating, 03-29T09:00 floating, 03-30T09:00 floating
until: 03-28T09:00 floating, 03-29T09:00 floating
02:30: 03-28T02:30 floating, 03-29T02:30 floating, 03-30T02:30 floating
written: RDATE:20260328T090000,20260329T090000,20260330T090000
SEEN
echo 'As described.'
