#!/usr/bin/env bash
# dragonmantank/cron-expression 3.3.1 of Debian 12, which Laravel uses, with PHP 8.2: jobs in Berlin, in 2026.
# Guess: 02:30 runs once on each day, and the weekday nearest the 30th (`30W`) does not exist in February.
# Seen: on the day on which summer time ends, 02:30 runs twice, an hour apart. The weekday nearest to 30 February is Monday, 2 February,
# and the one nearest to 31 April is 1 April.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-dragonmantank-cron-expression=3.3.1-2 php-webmozart-assert 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.php <<'CODE'
<?php
error_reporting(E_ALL & ~E_DEPRECATED);
spl_autoload_register(fn(string $name) => require 'usr/share/php/' . strtr($name, '\\', '/') . '.php');
foreach (['30 2 * * *' => '2026-10-24 12:00', '0 9 30W * *' => '2026-01-01 00:00', '0 9 31W * *' => '2026-03-01 00:00'] as $text => $from) {
    $start = new DateTime($from, new DateTimeZone('Europe/Berlin'));
    $runs = (new Cron\CronExpression($text))->getMultipleRunDates(4, $start, false, false, 'Europe/Berlin');
    echo $text, ': ', implode(', ', array_map(fn(DateTime $run) => $run->format('d.m. H:iO'), $runs)), "\n";
}
CODE
TZ=UTC php run.php > seen.txt
diff --unified - seen.txt <<'SEEN'
30 2 * * *: 25.10. 02:30+0200, 25.10. 02:30+0100, 26.10. 02:30+0100, 27.10. 02:30+0100
0 9 30W * *: 30.01. 09:00+0100, 02.02. 09:00+0100, 30.03. 09:00+0200, 30.04. 09:00+0200
0 9 31W * *: 31.03. 09:00+0200, 01.04. 09:00+0200, 29.05. 09:00+0200, 01.06. 09:00+0200
SEEN
echo 'As described.'
