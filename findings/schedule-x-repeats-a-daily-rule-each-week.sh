#!/usr/bin/env bash
# @schedule-x/event-recurrence 4.8.0 with @schedule-x/calendar 4.9.1, in happy-dom: series at 09:00 in Berlin, in 2026.
# Guess: a rule with its name before it is the same rule, BYSETPOS is followed or refused, UNTIL in UTC includes the last occurrence, and
# years without 29 February are left out.
# Seen: `RRULE:FREQ=DAILY` repeats each week. BYSETPOS is ignored, UNTIL is compared with the clock of Berlin and leaves out the last
# occurrence, and 29 February becomes 1 March. Where a clock change skips the start, an hour lasts no time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --legacy-peer-deps node@24.21.0 @schedule-x/event-recurrence@4.8.0 @schedule-x/calendar@4.9.1 \
  preact@11.2.0 @preact/signals@2.11.4 temporal-polyfill@1.0.8 happy-dom@21.0.4
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
import { Window } from 'happy-dom'
import 'temporal-polyfill/global'

const window = new Window({ url: 'http://localhost/' })
const { document, HTMLElement, HTMLDivElement, Node, Element, Event, MutationObserver, ResizeObserver, KeyboardEvent } = window
Object.assign(globalThis, { window, document, HTMLElement, HTMLDivElement, Node, Element, Event, MutationObserver, ResizeObserver, KeyboardEvent })
Object.assign(globalThis, { getComputedStyle: window.getComputedStyle.bind(window), requestAnimationFrame: setTimeout, cancelAnimationFrame: clearTimeout })
const load = createRequire(import.meta.url)
const { createCalendar, createViewMonthGrid } = load('@schedule-x/calendar')
const { createEventRecurrencePlugin } = load('@schedule-x/event-recurrence')

const timezone = 'Europe/Berlin'
for (const [name, day, rrule] of [
  ['daily', '2026-01-05T09:00', 'FREQ=DAILY;COUNT=2'],
  ['daily with the name', '2026-01-05T09:00', 'RRULE:FREQ=DAILY;COUNT=2'],
  ['last weekday', '2026-01-30T09:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3'],
  ['until the 7th', '2026-01-05T09:00', 'FREQ=DAILY;UNTIL=20260107T080000Z'],
  ['29 February', '2024-02-29T09:00', 'FREQ=YEARLY;COUNT=2'],
  ['skipped', '2026-03-28T02:30', 'FREQ=DAILY;COUNT=3'],
]) {
  const start = Temporal.ZonedDateTime.from(`${day}[${timezone}]`)
  const events = [{ id: '1', start, end: start.add({ hours: 1 }), rrule }]
  const options = { timezone, views: [createViewMonthGrid()], selectedDate: start.toPlainDate().with({ day: 15 }), events }
  const calendar = createCalendar(options, [createEventRecurrencePlugin()])
  calendar.render(document.body.appendChild(document.createElement('div')))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const found = calendar.$app.calendarEvents.list.value
  const show = (time) => time.toPlainDateTime().toString().slice(0, 16)
  console.log(`${name}:`, ...found.map((one) => show(one.start) + (name === 'skipped' ? ` for ${one.start.until(one.end)}` : '')))
}
process.exit()
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
daily: 2026-01-05T09:00 2026-01-06T09:00
daily with the name: 2026-01-05T09:00 2026-01-12T09:00
last weekday: 2026-01-30T09:00 2026-02-02T09:00 2026-02-03T09:00
until the 7th: 2026-01-05T09:00 2026-01-06T09:00
29 February: 2024-02-29T09:00 2025-03-01T09:00
skipped: 2026-03-28T02:30 for PT1H 2026-03-29T03:30 for PT0S 2026-03-30T02:30 for PT1H
SEEN
echo 'As described.'
