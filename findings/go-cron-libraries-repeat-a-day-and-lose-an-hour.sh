#!/usr/bin/env bash
# robfig/cron 3.0.1 and gorhill/cronexpr of Debian 12, with Go 1.19: the nights on which the clock changes in Berlin.
# Guess: a daily job at 02:30 runs once on each day, also on the day that has no 02:30, and an hourly job runs every hour that
# elapses.
# Seen: with robfig the daily job does not run at all on 29 March and runs twice on 25 October. With cronexpr the hourly job leaves
# out the first of the two hours at 02:00, so nothing runs for two hours.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 golang-github-robfig-cron-dev=3.0.1-1 \
  golang-github-gorhill-cronexpr-dev=1.0.0+git20180427.88b0669-2 2>/dev/null
for package in ./*.deb; do dpkg-deb -x "$package" .; done
cat > run.go <<'CODE'
package main

import (
	"fmt"
	"time"

	"github.com/gorhill/cronexpr"
	"github.com/robfig/cron"
)

func main() {
	berlin, _ := time.LoadLocation("Europe/Berlin")
	for _, job := range []struct {
		text string
		from time.Time
	}{
		{"30 2 * * *", time.Date(2026, 3, 28, 12, 0, 0, 0, berlin)},
		{"30 2 * * *", time.Date(2026, 10, 24, 12, 0, 0, 0, berlin)},
		{"0 * * * *", time.Date(2026, 10, 25, 0, 30, 0, 0, berlin)},
	} {
		robfig, _ := cron.ParseStandard(job.text)
		for name, next := range map[string]func(time.Time) time.Time{"robfig": robfig.Next, "cronexpr": cronexpr.MustParse(job.text).Next} {
			line, at := job.text+" "+name, job.from
			for count := 0; count < 3; count++ {
				at = next(at)
				line += at.Format(" 01-02T15:04-07")
			}
			fmt.Println(line)
		}
	}
}
CODE
export GOROOT=$PWD/usr/lib/go-1.19 GOPATH=$PWD/usr/share/gocode GOCACHE=$PWD/cache GO111MODULE=off
usr/lib/go-1.19/bin/go run run.go | sort > seen.txt
diff --unified - seen.txt <<'SEEN'
0 * * * * cronexpr 10-25T01:00+02 10-25T02:00+01 10-25T03:00+01
0 * * * * robfig 10-25T01:00+02 10-25T02:00+02 10-25T02:00+01
30 2 * * * cronexpr 03-29T03:30+02 03-30T02:30+02 03-31T02:30+02
30 2 * * * cronexpr 10-25T02:30+01 10-26T02:30+01 10-27T02:30+01
30 2 * * * robfig 03-30T02:30+02 03-31T02:30+02 04-01T02:30+02
30 2 * * * robfig 10-25T02:30+02 10-25T02:30+01 10-26T02:30+01
SEEN
echo 'As described.'
