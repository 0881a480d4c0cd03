import { stamp, writeCalendar } from '../write-icalendar.ts'
import type { Feed } from './state.ts'

/** The body of a feed as text, with a byte order mark if it has one. */
export function writeFeed(feed: Feed, now: number): string {
  return ended(feed, feed.text ?? padded(feed, calendarOf(feed, now)))
}

function calendarOf(feed: Feed, now: number): string {
  const text = writeCalendar(feed.events, feed.properties)
  // Google Calendar, Outlook 365 and others do, so that all is changed always: nextcloud/server#58193
  return feed.stampsEachAnswer ? text.replace(/^DTSTAMP:.*$/gm, `DTSTAMP:${stamp(now)}`) : text
}

function padded({ padToBytes }: Feed, text: string): string {
  const missing = (padToBytes ?? 0) - Buffer.byteLength(text)
  if (missing <= 0) return text
  const line = `X-FILLER:${'x'.repeat(64)}\n`
  return text.replace('END:VCALENDAR', `${line.repeat(Math.ceil(missing / line.length))}END:VCALENDAR`)
}

/**
 * LF alone: jshor/datebook#217, franc6/ics_calendar#5. A mark before BEGIN: franc6/ics_calendar#75,
 * collective/icalendar#700, ridafkih/keeper.sh#587.
 */
function ended({ lineEnd, hasByteOrderMark }: Feed, text: string): string {
  const lines = lineEnd === 'CRLF' ? text.replace(/\r?\n/g, '\r\n') : text.replaceAll('\r\n', '\n')
  return hasByteOrderMark ? `\uFEFF${lines}` : lines
}
