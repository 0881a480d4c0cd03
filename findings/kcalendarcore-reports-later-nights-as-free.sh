#!/usr/bin/env bash
# KCalendarCore 5.103 of Debian 12, the calendar library of KDE: the busy times that its FreeBusy finds in July 2026.
# Guess: each occurrence of a series is busy from its start to its end in its zone, and a cancelled event is free.
# Seen: only the first occurrence is right. Later ones have the clock of their zone in the zone of the process, two hours off, and those
# over midnight that have a DTEND begin and end at the same time, so that the nights are free. A cancelled event is busy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libkf5calendarcore-dev libkf5calendarcore5abi2 libical3 qtbase5-dev libqt5core5a libqt5gui5 libmd4c0 libpcre2-16-0 \
  libdouble-conversion3 libicu72 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
case $(dpkg-deb -f ./libkf5calendarcore-dev_*.deb Version) in 5:5.103.*) ;; *) echo 'Not KCalendarCore 5.103' && exit 1 ;; esac
cat > run.cpp <<'CODE'
#include <KCalendarCore/FreeBusy>
#include <KCalendarCore/ICalFormat>
#include <KCalendarCore/MemoryCalendar>
#include <QTimeZone>
#include <cstdio>
using namespace KCalendarCore;

int main()
{
    const char *berlin = "DTSTART;TZID=Europe/Berlin:20260706T";
    const std::pair<const char *, QString> cases[] = {
        {"mornings", QLatin1String(berlin) + QStringLiteral("090000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=3")},
        {"nights", QLatin1String(berlin) + QStringLiteral("220000\r\nDTEND;TZID=Europe/Berlin:20260707T060000\r\nRRULE:FREQ=DAILY;COUNT=3")},
        {"mornings in UTC", QStringLiteral("DTSTART:20260706T070000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=3")},
        {"cancelled", QStringLiteral("DTSTART:20260706T070000Z\r\nDURATION:PT1H\r\nSTATUS:CANCELLED")},
    };
    for (auto &[name, lines] : cases) {
        const auto text = QStringLiteral("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\n%1\r\n"
            "END:VEVENT\r\nEND:VCALENDAR\r\n").arg(lines);
        MemoryCalendar::Ptr calendar(new MemoryCalendar(QTimeZone("UTC")));
        if (!ICalFormat().fromString(calendar, text)) return 1;
        const auto day = [](int number) { return QDateTime(QDate(2026, 7, number), QTime(0, 0), Qt::UTC); };
        std::printf("%s:", name);
        for (const auto &busy : FreeBusy(calendar->rawEvents(), day(1), day(20)).busyPeriods())
            std::printf(" %s to %s", qPrintable(busy.start().toUTC().toString("dd HH:mm")), qPrintable(busy.end().toUTC().toString("dd HH:mm")));
        std::printf("\n");
    }
}
CODE
include=usr/include/x86_64-linux-gnu/qt5 core=usr/include/KF5/KCalendarCore
c++ -std=c++17 -fPIC -I$include -I$include/QtCore -I$include/QtGui -I$core -I$core/kcalendarcore run.cpp -o run -Lusr/lib/x86_64-linux-gnu \
  -lKF5CalendarCore -l:libQt5Core.so.5 -Wl,-rpath-link,usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu
for zone in UTC Europe/Berlin; do TZ=$zone ./run | sed "s,^,$zone ,"; done > seen.txt
diff --unified - seen.txt <<'SEEN'
UTC mornings: 06 07:00 to 06 08:00 06 09:00 to 06 10:00 07 09:00 to 07 10:00 08 09:00 to 08 10:00
UTC nights: 06 20:00 to 07 04:00 06 22:00 to 06 22:00 07 22:00 to 07 22:00 08 22:00 to 08 22:00 08 22:00 to 08 22:00
UTC mornings in UTC: 06 07:00 to 06 08:00 06 07:00 to 06 08:00 07 07:00 to 07 08:00 08 07:00 to 08 08:00
UTC cancelled: 06 07:00 to 06 08:00
Europe/Berlin mornings: 06 07:00 to 06 08:00 06 07:00 to 06 08:00 07 07:00 to 07 08:00 08 07:00 to 08 08:00
Europe/Berlin nights: 06 20:00 to 06 20:00 06 20:00 to 07 04:00 07 20:00 to 07 20:00 08 20:00 to 08 20:00 08 20:00 to 08 20:00
Europe/Berlin mornings in UTC: 06 05:00 to 06 06:00 06 07:00 to 06 08:00 07 05:00 to 07 06:00 08 05:00 to 08 06:00
Europe/Berlin cancelled: 06 07:00 to 06 08:00
SEEN
echo 'As described.'
