#!/usr/bin/env bash
# Emacs 28.2 of Debian 12: the diary that `icalendar-import-buffer` makes of events, for somebody in Berlin.
# Guess: it imports what its diary can say (every second week, a count, the clock of each day) and reports the rest as an error.
# Seen: every second Monday and Wednesday becomes every Monday and Wednesday, a series of three weeks has four, a night becomes a
# day without a time, a moved occurrence is there at both times, and an event with RDATE is left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq emacs-nox emacs-common emacs-bin-common emacs-el libgccjit0 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.el <<'CODE'
(require 'icalendar)
(setq calendar-date-style 'iso icalendar-import-format "%s")
(defun event (&rest lines) (append '("BEGIN:VEVENT" "UID:a" "DTSTAMP:20260101T000000Z" "SUMMARY:x") lines '("END:VEVENT")))
(defun show (name &rest events)
  (with-temp-buffer
    (insert (mapconcat 'identity (append '("BEGIN:VCALENDAR" "VERSION:2.0") (apply 'append events) '("END:VCALENDAR" "")) "\r\n"))
    (let ((file (make-temp-file "diary")))
      (icalendar-import-buffer file t)
      (with-temp-buffer
        (insert-file-contents file)
        (princ (format "%s: %s\n" name (mapconcat 'identity (split-string (buffer-string) "\n" t) " | ")))))))
(defconst monday '("DTSTART:20260105T080000Z" "DTEND:20260105T090000Z"))
(show "every second week" (apply 'event "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE" monday))
(show "three weeks" (apply 'event "RRULE:FREQ=WEEKLY;COUNT=3" monday))
(show "a night" (event "DTSTART:20260105T220000Z" "DTEND:20260106T060000Z"))
(show "the 6th moved" (apply 'event "RRULE:FREQ=DAILY;COUNT=3" monday)
      (event "RECURRENCE-ID:20260106T080000Z" "DTSTART:20260106T150000Z" "DTEND:20260106T160000Z"))
(show "cancelled" (apply 'event "STATUS:CANCELLED" monday))
(show "an extra date" (apply 'event "RDATE:20260107T080000Z" monday))
CODE
lisp=$PWD/usr/share/emacs/28.2/lisp
rest=$(find "$lisp" -type d -not -path '*/cedet*' | paste -sd:)
export TZ=Europe/Berlin EMACSLOADPATH=$rest:$lisp/cedet EMACSDATA=$PWD/usr/share/emacs/28.2/etc LD_LIBRARY_PATH=$PWD/usr/lib/x86_64-linux-gnu
dump=$(find "$PWD/usr/libexec" -name emacs.pdmp)
usr/bin/emacs-nox --dump-file="$dump" --batch -Q --eval '(princ (format "Emacs %s\n" emacs-version))' -l ./run.el 2>/dev/null > seen.txt
diff --unified - seen.txt <<'SEEN'
Emacs 28.2
every second week: %%(and (memq (calendar-day-of-week date) '(1 3)) (diary-cyclic 1 2026 1 5)) 09:00-10:00 x
three weeks: %%(and (diary-cyclic 7 2026 1 5) (diary-block 2026 1 5 2026 1 26)) 09:00-10:00 x
a night: %%(and (diary-block 2026 1 5 2026 1 5)) x
the 6th moved: %%(and (diary-cyclic 1 2026 1 5) (diary-block 2026 1 5 2026 1 7)) 09:00-10:00 x | 2026/1/6 16:00-17:00 x
cancelled: 2026/1/5 09:00-10:00 x
an extra date: 
SEEN
echo 'As described.'
