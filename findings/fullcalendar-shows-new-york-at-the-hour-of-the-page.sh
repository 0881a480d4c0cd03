#!/usr/bin/env bash
# FullCalendar 6.1.21 with its icalendar and rrule plugins, in happy-dom in Los Angeles: an event at 09:00 in New York.
# Guess: a calendar in UTC shows it at 13:00, one in Berlin at 15:00, whether a feed with a VTIMEZONE or a rule with a zone brings it.
# Seen: the feed's event is at 09:00 in each calendar. A rule's `tzid` gives the hour of the browser, 06:00, in each, and a rule as a text
# with a zone is an event of the whole day. A feed's time in UTC is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @fullcalendar/core@6.1.21 @fullcalendar/daygrid@6.1.21 @fullcalendar/icalendar@6.1.21 \
  @fullcalendar/rrule@6.1.21 @fullcalendar/luxon3@6.1.21 luxon@3.7.2 rrule@2.8.1 ical.js@1.5.0 happy-dom@21.0.4
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
import { Window } from 'happy-dom'

const window = new Window({ url: 'http://localhost/' })
const { document, HTMLElement, Node, Element } = window
Object.assign(globalThis, { window, document, HTMLElement, Node, Element, getComputedStyle: window.getComputedStyle.bind(window) })
const load = (name) => createRequire(import.meta.url)(`@fullcalendar/${name}`)
const plugins = ['daygrid', 'icalendar', 'rrule', 'luxon3'].map((name) => load(name).default)

const zone = ['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'BEGIN:DAYLIGHT', 'DTSTART:20070311T020000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'END:DAYLIGHT', 'BEGIN:STANDARD', 'DTSTART:20071104T020000', 'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', 'END:STANDARD', 'END:VTIMEZONE']
const feed = (start) => {
  const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', `DTSTART${start}`, 'DURATION:PT1H', 'END:VEVENT']
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...zone, ...event, 'END:VCALENDAR', ''].join('\r\n')
  return { url: `data:text/calendar,${encodeURIComponent(text)}`, format: 'ics' }
}
const rule = { freq: 'daily', count: 1, dtstart: '2026-07-06T09:00:00', tzid: 'America/New_York' }
const cases = {
  'feed in UTC': feed(':20260706T130000Z'),
  'feed with a zone': feed(';TZID=America/New_York:20260706T090000'),
  'rule with a zone': [{ rrule: rule, duration: '01:00' }],
  'rule as a text': [{ rrule: 'DTSTART;TZID=America/New_York:20260706T090000\nRRULE:FREQ=DAILY;COUNT=1', duration: '01:00' }],
}
for (const [name, events] of Object.entries(cases))
  for (const timeZone of ['UTC', 'Europe/Berlin']) {
    const { Calendar } = load('core')
    const calendar = new Calendar(document.createElement('div'), { plugins, initialView: 'dayGridMonth', initialDate: '2026-07-06', timeZone, events })
    const read = new Promise((resolve) => calendar.setOption('loading', (busy) => !busy && resolve()))
    calendar.render()
    await Promise.race([read, new Promise((resolve) => setTimeout(resolve, 1000))])
    const [{ start, startStr, allDay }] = calendar.getEvents()
    console.log(`${name} in ${timeZone}: ${allDay ? `all of ${startStr.slice(0, 10)}` : startStr}`)
  }
process.exit()
CODE
TZ=America/Los_Angeles node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
feed in UTC in UTC: 2026-07-06T13:00:00Z
feed in UTC in Europe/Berlin: 2026-07-06T15:00:00+02:00
feed with a zone in UTC: 2026-07-06T09:00:00Z
feed with a zone in Europe/Berlin: 2026-07-06T09:00:00+02:00
rule with a zone in UTC: 2026-07-06T06:00:00Z
rule with a zone in Europe/Berlin: 2026-07-06T06:00:00+02:00
rule as a text in UTC: all of 2026-07-06
rule as a text in Europe/Berlin: all of 2026-07-06
SEEN
echo 'As described.'
