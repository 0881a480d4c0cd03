#!/usr/bin/env bash
# eluceo/iCal 0.16.1 of Debian 12, with PHP 8.2: a daily series in New York until Friday at 09:00, and a whole day.
# Guess: UNTIL is converted to UTC, as DTSTART is without `setUseTimezone`, and a link is written as it is (RFC 5545, section 3.3.13).
# Seen: UNTIL has the clock of New York and a Z, four hours before the last occurrence, so that readers leave it out. Commas and
# semicolons in the link are escaped, and quotes in a name by a backslash.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-eluceo-ical=0.16.1-2 2>/dev/null
dpkg-deb -x ./*.deb .
cat > run.php <<'CODE'
<?php
set_error_handler(fn(int $level) => $level === E_DEPRECATED);
spl_autoload_register(fn(string $name) => require 'usr/share/php/' . strtr($name, '\\', '/') . '.php');

use Eluceo\iCal\Component\{Calendar, Event};
use Eluceo\iCal\Property\Event\{Organizer, RecurrenceRule};

$zone = new DateTimeZone('America/New_York');
foreach ([true, false] as $withZone) {
    $rule = (new RecurrenceRule())->setFreq('DAILY')->setUntil(new DateTime('2026-07-10 09:00', $zone));
    $event = (new Event('a'))->setUseTimezone($withZone)->setRecurrenceRule($rule)->setUrl('https://example.org/a,b;c');
    $event->setDtStart(new DateTime('2026-07-06 09:00', $zone))->setDtEnd(new DateTime('2026-07-06 10:00', $zone));
    $event->setOrganizer(new Organizer('mailto:jane@example.org', ['CN' => 'Jane "J" Doe']));
    $calendar = new Calendar('x');
    $calendar->addComponent($event);
    echo implode("\n", preg_grep('/^(DTSTART|RRULE|URL|ORGANIZER)/', explode("\r\n", $calendar->render()))), "\n";
}
CODE
php run.php > seen.txt
diff --unified - seen.txt <<'SEEN'
DTSTART;TZID=America/New_York:20260706T090000
URL:https://example.org/a\,b\;c
RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20260710T090000Z
ORGANIZER;CN="Jane \"J\" Doe":mailto:jane@example.org
DTSTART:20260706T130000Z
URL:https://example.org/a\,b\;c
RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20260710T090000Z
ORGANIZER;CN="Jane \"J\" Doe":mailto:jane@example.org
SEEN
echo 'As described.'
