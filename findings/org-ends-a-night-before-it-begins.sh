#!/usr/bin/env bash
# Org 9.5 of Emacs 28.2 in Debian 12: what `org-export-as` writes as calendar files of timestamps, for somebody in Berlin.
# Guess: 22:00-06:00 ends on the next day, a zone has its VTIMEZONE, and a fortnight keeps the clock of Berlin.
# Seen: the night ends on the day on which it begins, 16 hours before its start. No VTIMEZONE is written. In UTC the fortnight has a rule in
# UTC, so that it is at 08:00 in Berlin from October on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq emacs-nox emacs-common emacs-bin-common emacs-el libgccjit0 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.el <<'CODE'
(require 'ox-icalendar)
(princ (format "Org %s\n" (org-version)))
(setq org-icalendar-with-timestamps 'active)
(dolist (zone '("Europe/Berlin" "UTC"))
  (setq org-icalendar-timezone zone
        org-icalendar-date-time-format (if (string= zone "UTC") ":%Y%m%dT%H%M%SZ" ";TZID=%Z:%Y%m%dT%H%M%S"))
  (dolist (time '("22:00-06:00" "09:00-10:00 +2w"))
    (with-temp-buffer
      (insert (format "* x\n:PROPERTIES:\n:ID: a\n:END:\n<2026-07-06 Mon %s>\n" time))
      (org-mode)
      (let ((lines (split-string (org-export-as 'icalendar) "[\r\n]+")))
        (princ (format "%s in %s: %s\n" time zone
                       (mapconcat 'identity (seq-filter (lambda (line) (string-match "^\\(DTSTART\\|DTEND\\|RRULE\\|BEGIN:VTIMEZONE\\)" line)) lines) " ")))))))
CODE
lisp=$PWD/usr/share/emacs/28.2/lisp
rest=$(find "$lisp" -type d -not -path '*/cedet*' | paste -sd:)
export TZ=Europe/Berlin EMACSLOADPATH=$rest:$lisp/cedet EMACSDATA=$PWD/usr/share/emacs/28.2/etc LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu
dump=$(find "$PWD/usr/libexec" -name emacs.pdmp)
usr/bin/emacs-nox --dump-file="$dump" --batch -Q -l ./run.el 2>/dev/null > seen.txt
diff --unified - seen.txt <<'SEEN'
Org 9.5.5
22:00-06:00 in Europe/Berlin: DTSTART;TZID=Europe/Berlin:20260706T220000 DTEND;TZID=Europe/Berlin:20260706T060000
09:00-10:00 +2w in Europe/Berlin: DTSTART;TZID=Europe/Berlin:20260706T090000 DTEND;TZID=Europe/Berlin:20260706T100000 RRULE:FREQ=WEEKLY;INTERVAL=2
22:00-06:00 in UTC: DTSTART:20260706T200000Z DTEND:20260706T040000Z
09:00-10:00 +2w in UTC: DTSTART:20260706T070000Z DTEND:20260706T080000Z RRULE:FREQ=WEEKLY;INTERVAL=2
SEEN
echo 'As described.'
