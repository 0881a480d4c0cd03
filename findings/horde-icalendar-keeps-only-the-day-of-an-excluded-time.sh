#!/usr/bin/env bash
# Horde_Icalendar 2.1.8 of Debian 12, with PHP 8.2: what it reads of times, excluded times and extra periods.
# Guess: a TZID of the IANA database means that zone, with a VTIMEZONE or without one, EXDATE is a list of times, and RDATE one of
# periods.
# Seen: without a VTIMEZONE 09:00 in New York is 09:00 in the zone of the process. EXDATE keeps the day only, so that one time of two a
# day cannot be excluded, and an RDATE of periods is empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-horde-icalendar=2.1.8-7 php-horde-util php-horde-date php-horde-translation php-horde-exception 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.php <<'CODE'
<?php
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING & ~E_NOTICE);
date_default_timezone_set('UTC');
spl_autoload_register(fn(string $name) => @include 'usr/share/php/' . strtr($name, '_', '/') . '.php');

$zone = 'TZID=America/New_York';
$rule = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'BEGIN:DAYLIGHT', 'DTSTART:20070311T020000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'END:DAYLIGHT', 'BEGIN:STANDARD', 'DTSTART:20071104T020000', 'TZOFFSETFROM:-0400',
    'TZOFFSETTO:-0500', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', 'END:STANDARD', 'END:VTIMEZONE'];
$event = ['BEGIN:VEVENT', 'UID:a', "DTSTART;$zone:20260706T090000", "EXDATE;$zone:20260707T090000,20260708T090000",
    'RDATE;VALUE=PERIOD:20260710T130000Z/PT1H', 'END:VEVENT'];
foreach (['with a VTIMEZONE' => $rule, 'without' => []] as $name => $lines) {
    $calendar = new Horde_Icalendar();
    $calendar->parsevCalendar(implode("\r\n", ['BEGIN:VCALENDAR', 'VERSION:2.0', ...$lines, ...$event, 'END:VCALENDAR', '']));
    $read = $calendar->findComponent('vEvent');
    echo "$name: ", gmdate('Y-m-d\TH:i\Z', $read->getAttribute('DTSTART')), "\n";
}
foreach (['EXDATE', 'RDATE'] as $property) echo $property, ' ', json_encode($read->getAttributeValues($property), JSON_UNESCAPED_SLASHES), "\n";
CODE
php run.php > seen.txt
diff --unified - seen.txt <<'SEEN'
with a VTIMEZONE: 2026-07-06T13:00Z
without: 2026-07-06T09:00Z
EXDATE [{"year":"2026","month":"07","mday":"07"},{"year":"2026","month":"07","mday":"08"}]
RDATE [null]
SEEN
echo 'As described.'
