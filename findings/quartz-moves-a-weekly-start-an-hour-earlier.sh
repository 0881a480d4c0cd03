#!/usr/bin/env bash
# Quartz 2.3.2 of Debian 12, with Java 17: calendar intervals and a cron expression in Berlin, in 2026.
# Guess: a skipped 02:30 is at 03:30 once and at 02:30 again a week later, a monthly 31st comes back in March, and an hourly job runs
# each hour.
# Seen: the skipped start is at 01:30, and all that follow are, too. A monthly 31st stays on the 28th after February. The cron trigger of
# 02:30 does not fire on that day, and the one of each hour leaves out one of the two hours at 02:00.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libquartz2-java=2.3.2-4 libslf4j-java 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > Run.java <<'CODE'
import static java.util.TimeZone.getTimeZone;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.function.UnaryOperator;
import org.quartz.*;

public class Run {
  static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy-MM-dd HH:mmX");

  static void show(String name, String from, UnaryOperator<Date> next) throws Exception {
    Date at = FORMAT.parse(from);
    StringBuilder line = new StringBuilder(name + ":");
    for (int count = 0; count < 4; count++) line.append(' ').append(FORMAT.format(at = next.apply(at)).substring(5));
    System.out.println(line);
  }

  static Trigger every(String start, CalendarIntervalScheduleBuilder interval) throws Exception {
    return TriggerBuilder.newTrigger().withIdentity("a").startAt(FORMAT.parse(start)).withSchedule(interval).build();
  }

  public static void main(String[] ignored) throws Exception {
    FORMAT.setTimeZone(getTimeZone("Europe/Berlin"));
    CalendarIntervalScheduleBuilder berlin = CalendarIntervalScheduleBuilder.calendarIntervalSchedule().inTimeZone(getTimeZone("Europe/Berlin"));
    show("weekly", "2026-03-20 00:00+01", every("2026-03-22 02:30+01", berlin.withIntervalInWeeks(1))::getFireTimeAfter);
    show("monthly", "2026-01-20 00:00+01", every("2026-01-31 09:00+01", berlin.withIntervalInMonths(1))::getFireTimeAfter);
    for (String[] cron : new String[][] {{"0 30 2 * * ?", "2026-03-28 00:00+01"}, {"0 0 * * * ?", "2026-10-25 00:30+02"}}) {
      CronExpression expression = new CronExpression(cron[0]);
      expression.setTimeZone(getTimeZone("Europe/Berlin"));
      show(cron[0], cron[1], expression::getNextValidTimeAfter);
    }
  }
}
CODE
java -cp "$(find "$PWD/usr/share/java" -name 'quartz2-*.jar' -o -name 'slf4j-api-*.jar' -o -name 'slf4j-nop-*.jar' | paste -sd:)" Run.java > seen.txt
diff --unified - seen.txt <<'SEEN'
weekly: 03-22 02:30+01 03-29 01:30+01 04-05 01:30+02 04-12 01:30+02
monthly: 01-31 09:00+01 02-28 09:00+01 03-28 09:00+01 04-28 09:00+02
0 30 2 * * ?: 03-28 02:30+01 03-30 02:30+02 03-31 02:30+02 04-01 02:30+02
0 0 * * * ?: 10-25 01:00+02 10-25 02:00+01 10-25 03:00+01 10-25 04:00+01
SEEN
echo 'As described.'
