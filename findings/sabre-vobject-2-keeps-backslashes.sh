#!/usr/bin/env bash
# sabre/vobject 2.1.7 of Debian 12 (php-sabre-vobject 2.1.7-6.1), with its php 8.2.
# Guess: a text is read as it was before it was escaped (RFC 5545, section 3.3.11).
# Seen: only `\n` and `\\` are replaced. The backslash before a comma or a semicolon stays in LOCATION, DESCRIPTION and SUMMARY.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-sabre-vobject=2.1.7-6.1 2>/dev/null
dpkg-deb -x ./*.deb .
cat > run.php <<'CODE'
<?php
error_reporting(E_ALL & ~E_DEPRECATED);
require 'usr/share/php/Sabre/VObject/includes.php';
foreach (['SUMMARY', 'LOCATION', 'DESCRIPTION'] as $name) {
  $text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n$name:a\\, b\\; c \\\\ d\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
  echo $name, ' ', Sabre\VObject\Reader::read($text)->VEVENT->$name, "\n";
}
CODE
php run.php > seen.txt
diff --unified - seen.txt <<'SEEN'
SUMMARY a\, b\; c \ d
LOCATION a\, b\; c \ d
DESCRIPTION a\, b\; c \ d
SEEN
echo 'As described.'
