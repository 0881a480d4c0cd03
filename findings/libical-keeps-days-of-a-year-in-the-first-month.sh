#!/usr/bin/env bash
# libical 3.0.16 of Debian 12: `FREQ=YEARLY` with BYMONTHDAY, and RDATE with periods.
# Guess: BYMONTHDAY without BYMONTH in a yearly rule means that day of every month (RFC 5545, section 3.3.10: it expands there),
# and an RDATE of VALUE=PERIOD adds its start, as one of VALUE=DATE-TIME does.
# Seen: the rule stays in the month of the start, and the period is left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libical3=3.0.16-1+b1 libical-dev=3.0.16-1+b1
for package in *.deb; do dpkg-deb -x "$package" .; done
lib=$(dirname "$(find . -name 'libical.so.3')")
cat > run.c <<'CODE'
#include <libical/ical.h>
#include <stdio.h>

static void print_start(icalcomponent *event, struct icaltime_span *span, void *data) {
  (void)event;
  (void)data;
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%d %H:%M", gmtime(&span->start));
  puts(text);
}

static void expand(const char *name, const char *lines) {
  char text[600];
  snprintf(text, sizeof text, "BEGIN:VEVENT\r\nUID:x\r\n%s\r\nEND:VEVENT\r\n", lines);
  icalcomponent *event = icalparser_parse_string(text);
  puts(name);
  icaltimetype from = icaltime_from_string("20260101T000000Z"), to = icaltime_from_string("20270401T000000Z");
  icalcomponent_foreach_recurrence(event, from, to, print_start, NULL);
  icalcomponent_free(event);
}

int main(void) {
  expand("yearly, day 10 of every month:", "DTSTART:20260310T090000Z\r\nDTEND:20260310T100000Z\r\nRRULE:FREQ=YEARLY;BYMONTHDAY=10");
  expand("RDATE of a time:", "DTSTART:20260310T090000Z\r\nDTEND:20260310T100000Z\r\nRDATE:20260410T090000Z");
  expand("RDATE of a period:", "DTSTART:20260310T090000Z\r\nDTEND:20260310T100000Z\r\nRDATE;VALUE=PERIOD:20260410T090000Z/PT2H");
  return 0;
}
CODE
cc -Iusr/include run.c -o run "$lib/libical.so.3" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH=$lib ./run > seen.txt
diff --unified - seen.txt <<'SEEN'
yearly, day 10 of every month:
2026-03-10 09:00
2027-03-10 09:00
RDATE of a time:
2026-03-10 09:00
2026-04-10 09:00
RDATE of a period:
2026-03-10 09:00
SEEN
echo 'As described.'
