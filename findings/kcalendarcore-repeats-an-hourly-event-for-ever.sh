#!/usr/bin/env bash
# KCalendarCore 5.103 of Debian 12, the calendar library of KDE: the occurrences of a calendar in a range of two years.
# Guess: an hourly series begins at its start and ends as COUNT or UNTIL says, and a skipped 02:30 is at 03:30.
# Seen: an hourly series and one of every quarter of an hour fill the range from its first hour, two years before their start, until
# the 10,000 occurrences that the iterator allows. The skipped day has none at all, and COUNT takes one more at the end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libkf5calendarcore-dev libkf5calendarcore5abi2 libical3 qtbase5-dev libqt5core5a libqt5gui5 libmd4c0 libpcre2-16-0 \
  libdouble-conversion3 libicu72 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
case $(dpkg-deb -f ./libkf5calendarcore-dev_*.deb Version) in 5:5.103.*) ;; *) echo 'Not KCalendarCore 5.103' && exit 1 ;; esac
cat > run.cpp <<'CODE'
#include <KCalendarCore/ICalFormat>
#include <KCalendarCore/MemoryCalendar>
#include <KCalendarCore/OccurrenceIterator>
#include <QTimeZone>
#include <cstdio>
using namespace KCalendarCore;

int main()
{
    const char *cases[][2] = {
        {"20260706T090000", "FREQ=DAILY;COUNT=3"},
        {"20260706T090000", "FREQ=HOURLY;COUNT=3"},
        {"20260706T090000", "FREQ=HOURLY;UNTIL=20260706T090000Z"},
        {"20260706T090000", "FREQ=MINUTELY;INTERVAL=15;COUNT=3"},
        {"20260328T023000", "FREQ=DAILY;COUNT=3"},
    };
    for (auto &[start, rule] : cases) {
        const auto text = QStringLiteral("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\n"
            "DTSTART;TZID=Europe/Berlin:%1\r\nDURATION:PT10M\r\nRRULE:%2\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n").arg(start, rule);
        MemoryCalendar::Ptr calendar(new MemoryCalendar(QTimeZone("UTC")));
        if (!ICalFormat().fromString(calendar, text)) return 1;
        const auto day = [](int year) { return QDateTime(QDate(year, 7, 1), QTime(0, 0), Qt::UTC); };
        OccurrenceIterator found(*calendar, day(2024), day(2026).addDays(30));
        int count = 0;
        QString first;
        for (; found.hasNext(); ++count) {
            found.next();
            if (count < 3) first += QLatin1Char(' ') + found.occurrenceStartDate().toUTC().toString(Qt::ISODate);
        }
        std::printf("%s: %d, first%s\n", rule, count, qPrintable(first));
    }
}
CODE
include=usr/include/x86_64-linux-gnu/qt5 core=usr/include/KF5/KCalendarCore
c++ -std=c++17 -fPIC -I$include -I$include/QtCore -I$include/QtGui -I$core -I$core/kcalendarcore run.cpp -o run -Lusr/lib/x86_64-linux-gnu \
  -lKF5CalendarCore -l:libQt5Core.so.5 -Wl,-rpath-link,usr/lib/x86_64-linux-gnu
TZ=UTC LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu ./run > seen.txt
diff --unified - seen.txt <<'SEEN'
FREQ=DAILY;COUNT=3: 3, first 2026-07-06T07:00:00Z 2026-07-07T07:00:00Z 2026-07-08T07:00:00Z
FREQ=HOURLY;COUNT=3: 10000, first 2024-07-01T00:00:00Z 2024-07-01T01:00:00Z 2024-07-01T02:00:00Z
FREQ=HOURLY;UNTIL=20260706T090000Z: 10000, first 2024-07-01T00:00:00Z 2024-07-01T01:00:00Z 2024-07-01T02:00:00Z
FREQ=MINUTELY;INTERVAL=15;COUNT=3: 10000, first 2024-07-01T00:00:00Z 2024-07-01T00:15:00Z 2024-07-01T00:30:00Z
FREQ=DAILY;COUNT=3: 3, first 2026-03-28T01:30:00Z 2026-03-30T00:30:00Z 2026-03-31T00:30:00Z
SEEN
echo 'As described.'
