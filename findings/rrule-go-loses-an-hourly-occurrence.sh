#!/usr/bin/env bash
# teambition/rrule-go 1.8.1 of Debian 12, with Go 1.19: series in Berlin around the clock changes of 2026.
# Guess: an hourly series has as many occurrences as COUNT says, an hour apart, and a repeated 02:30 is the first (RFC 5545,
# section 3.3.5).
# Seen: the six hours that begin at 23:00 on 28 March are five, because the skipped 02:00 and 03:00 are one. In October the first
# hour of the two is left out, so that two occurrences are two hours apart, and 02:30 is the second.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 golang-github-teambition-rrule-go-dev=1.8.1-1 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.go <<'CODE'
package main

import (
	"fmt"

	"github.com/teambition/rrule-go"
)

func main() {
	for _, text := range []string{
		"20260328T230000\nRRULE:FREQ=HOURLY;COUNT=6",
		"20261025T000000\nRRULE:FREQ=HOURLY;COUNT=4",
		"20261024T023000\nRRULE:FREQ=DAILY;COUNT=2",
	} {
		set, err := rrule.StrToRRuleSet("DTSTART;TZID=Europe/Berlin:" + text)
		if err != nil {
			panic(err)
		}
		all := set.All()
		line := fmt.Sprintf("%s: %d", text[22:], len(all))
		for _, at := range all {
			line += at.Format(" 02T15:04-07")
		}
		fmt.Println(line)
	}
}
CODE
export GOROOT=$PWD/usr/lib/go-1.19 GOPATH=$PWD/usr/share/gocode GOCACHE=$PWD/cache GO111MODULE=off
usr/lib/go-1.19/bin/go run run.go > seen.txt
diff --unified - seen.txt <<'SEEN'
FREQ=HOURLY;COUNT=6: 5 28T23:00+01 29T00:00+01 29T01:00+01 29T03:00+02 29T04:00+02
FREQ=HOURLY;COUNT=4: 4 25T00:00+02 25T01:00+02 25T02:00+01 25T03:00+01
FREQ=DAILY;COUNT=2: 2 24T02:30+02 25T02:30+01
SEEN
echo 'As described.'
