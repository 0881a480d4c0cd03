#!/usr/bin/env bash
# iCal::Parser 1.21 of Debian 12, with Perl: events with a TZID, read into Berlin and into New York.
# Guess: times are converted to the zone that `tz` names, as times in UTC are, UNTIL includes the last one, and a cancelled
# occurrence is left out.
# Seen: the clock of every TZID is taken for that of `tz`, so 09:00 in Berlin is 09:00 in New York. UNTIL is compared with that clock,
# which costs Berlin its last occurrence in UTC, and a cancelled one is listed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
options=(--recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances)
mapfile -t packages < <(apt-cache depends "${options[@]}" libical-parser-perl | grep '^lib.*-perl' | sort -u)
apt-get download -qq "${packages[@]}" 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.pl <<'CODE'
use strict;
use warnings;
use iCal::Parser;
print "$iCal::Parser::VERSION\n";

my @series = ('UID:a', 'DTSTART;TZID=Europe/Berlin:20260706T090000', 'DURATION:PT1H');
my @cancelled = ('UID:a', 'RECURRENCE-ID;TZID=Europe/Berlin:20260707T090000', 'DTSTART;TZID=Europe/Berlin:20260707T090000', 'STATUS:CANCELLED');
my @cases = (
    ['in UTC', ['UID:a', 'DTSTART:20260706T070000Z', 'DURATION:PT1H']],
    ['in Berlin', [@series]],
    ['until the 8th', [@series, 'RRULE:FREQ=DAILY;UNTIL=20260708T070000Z']],
    ['without the 7th', [@series, 'RRULE:FREQ=DAILY;COUNT=3'], [@cancelled]],
);
for my $zone ('Europe/Berlin', 'America/New_York') {
    for my $case (@cases) {
        my ($name, @events) = @$case;
        my @lines = map { ('BEGIN:VEVENT', @$_, 'END:VEVENT') } @events;
        my $text = join "\r\n", 'BEGIN:VCALENDAR', 'VERSION:2.0', @lines, 'END:VCALENDAR', '';
        my $parser = iCal::Parser->new(tz => $zone, start => '20260701', end => '20260801');
        my $days = $parser->parse_strings($text)->{events}{2026}{7};
        my @found = map { my $day = $_; map { "$_->{DTSTART}" . ($_->{STATUS} ? ' CANCELLED' : '') } values %{ $days->{$day} } } sort { $a <=> $b } keys %$days;
        print "$zone, $name: @found\n";
    }
}
CODE
perl -Iusr/share/perl5 -Iusr/lib/x86_64-linux-gnu/perl5/5.36 run.pl > seen.txt
diff --unified - seen.txt <<'SEEN'
1.21
Europe/Berlin, in UTC: 2026-07-06T09:00:00
Europe/Berlin, in Berlin: 2026-07-06T09:00:00
Europe/Berlin, until the 8th: 2026-07-06T09:00:00 2026-07-07T09:00:00
Europe/Berlin, without the 7th: 2026-07-06T09:00:00 2026-07-07T09:00:00 CANCELLED 2026-07-08T09:00:00
America/New_York, in UTC: 2026-07-06T03:00:00
America/New_York, in Berlin: 2026-07-06T09:00:00
America/New_York, until the 8th: 2026-07-06T09:00:00 2026-07-07T09:00:00
America/New_York, without the 7th: 2026-07-06T09:00:00 2026-07-07T09:00:00 CANCELLED 2026-07-08T09:00:00
SEEN
echo 'As described.'
