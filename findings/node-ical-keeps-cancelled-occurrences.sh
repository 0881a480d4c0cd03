#!/usr/bin/env bash
# node-ical 0.27.2 and ical-expander 3.2.0: a series whose second date was cancelled by an event with its RECURRENCE-ID and
# STATUS:CANCELLED, and a series whose later dates were moved at once (RANGE=THISANDFUTURE).
# Guess: expanding a series leaves out the cancelled date as it leaves out an EXDATE, and moves all later dates (RFC 5545, section
# 3.2.13).
# Seen: both list the cancelled date like the others; only the status of its event says so. node-ical moves one date,
# ical-expander all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-ical@0.27.2 ical-expander@3.2.0
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
import nodeIcal from 'node-ical'
const IcalExpander = createRequire(import.meta.url)('ical-expander')
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const series = event('DTSTART:20260701T090000Z', 'DTEND:20260701T100000Z', 'RRULE:FREQ=DAILY;COUNT=3')
const cancelled = event('RECURRENCE-ID:20260702T090000Z', 'DTSTART:20260702T090000Z', 'DTEND:20260702T100000Z', 'STATUS:CANCELLED')
const moved = event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260702T090000Z', 'DTSTART:20260702T130000Z', 'DTEND:20260702T140000Z')
const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-08-01T00:00:00Z')]
const show = (start, status) => `${start.toISOString().slice(5, 16)}${status ? ` ${status}` : ''}`
for (const [name, text] of Object.entries({ cancelled: file(...series, ...cancelled), moved: file(...series, ...moved) })) {
  const read = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
  const expanded = nodeIcal.expandRecurringEvent(read, { from, to })
  console.log(name, 'node-ical:', expanded.map(({ start, event }) => show(start, event.status)).join(', '))
  const { events, occurrences } = new IcalExpander({ ics: text, maxIterations: 100 }).between(from, to)
  const all = [...events.map((event) => [event.startDate, event]), ...occurrences.map(({ startDate, item }) => [startDate, item])]
  const shown = all.map(([start, item]) => show(start.toJSDate(), item.component.getFirstPropertyValue('status')))
  console.log(name, 'ical-expander:', shown.sort().join(', '))
}
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
cancelled node-ical: 07-01T09:00, 07-02T09:00 CANCELLED, 07-03T09:00
cancelled ical-expander: 07-01T09:00, 07-02T09:00 CANCELLED, 07-03T09:00
moved node-ical: 07-01T09:00, 07-02T13:00, 07-03T09:00
moved ical-expander: 07-01T09:00, 07-02T13:00, 07-03T13:00
SEEN
echo 'As described.'
