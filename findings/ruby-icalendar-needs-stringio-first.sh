#!/usr/bin/env bash
# ruby-icalendar 2.8.0-1 of Debian 12, with its ruby 3.1.
# Guess: `require 'icalendar'` is enough to parse a file, as its README shows.
# Seen: the parser uses StringIO and does not load it; it works where something else, such as `require 'stringio'`, did so before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-icalendar=2.8.0-1 ruby-ice-cube 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
lib=$(dirname "$(find . -path '*lib/icalendar.rb')")
parse="require 'icalendar'; puts Icalendar::Calendar.parse(\"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n\").length"
{
  ruby -I "$lib" -e "$parse" 2>&1 | grep -o 'uninitialized constant [A-Za-z:]*' || true
  ruby -I "$lib" -r stringio -e "$parse"
} > seen.txt
diff --unified - seen.txt <<'SEEN'
uninitialized constant Icalendar::Parser::StringIO
1
SEEN
echo 'As described.'
