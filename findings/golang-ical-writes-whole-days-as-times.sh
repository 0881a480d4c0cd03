#!/usr/bin/env bash
# arran4/golang-ical of Debian 12 (May 2022), with Go 1.19: a whole day in Berlin, and a name with a comma.
# Guess: a whole day is `DTSTART;VALUE=DATE:20260706` for a midnight in any zone, and parameters with a comma are quoted.
# Seen: the midnight is converted to UTC, so the day is the day before, and it has a Z and no VALUE=DATE. Names are written without
# quotes, also those that were read in quotes, so that a reader finds another name and an attribute that is not one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 golang-github-arran4-golang-ical-dev='0.0~git20220517.fd89fef-2' 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.go <<'CODE'
package main

import (
	"fmt"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
)

func main() {
	berlin, _ := time.LoadLocation("Europe/Berlin")
	calendar := ics.NewCalendar()
	event := calendar.AddEvent("a")
	event.SetAllDayStartAt(time.Date(2026, 7, 6, 0, 0, 0, 0, berlin))
	event.SetAllDayEndAt(time.Date(2026, 7, 7, 0, 0, 0, 0, berlin))
	event.AddAttendee("jane@example.org", ics.WithCN("Doe; RSVP, Jane"))
	text := strings.ReplaceAll(calendar.Serialize(), "\r\n", "\n")
	fmt.Print(text[strings.Index(text, "UID"):strings.Index(text, "END:VEVENT")])
	read, err := ics.ParseCalendar(strings.NewReader("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:b\r\n" +
		"ATTENDEE;CN=\"Doe, Jane: 2\":mailto:jane@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Split(read.Serialize(), "\r\n")[3])
}
CODE
export GOROOT=$PWD/usr/lib/go-1.19 GOPATH=$PWD/usr/share/gocode GOCACHE=$PWD/cache GO111MODULE=off
usr/lib/go-1.19/bin/go run run.go > seen.txt
diff --unified - seen.txt <<'SEEN'
UID:a
DTSTART:20260705Z
DTEND:20260706Z
ATTENDEE;CN=Doe; RSVP, Jane:mailto:jane@example.org
ATTENDEE;CN=Doe, Jane: 2:mailto:jane@example.org
SEEN
echo 'As described.'
