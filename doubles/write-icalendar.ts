import { randomUUID } from 'node:crypto'
import type { Json } from './world.ts'

/**
 * A VEVENT with the lines that a test gave, or of `{uid?, summary?, start, end, timeZone?, rrule?, status?, transp?}` with
 * instants as `2030-01-07T10:00:00Z`, days as `2030-01-07`, or local times beside a `timeZone`. Lines end with LF.
 */
export function writeEvent(event: string | Json, now: number): string {
  if (typeof event === 'string') {
    const lines = event.replaceAll('\r\n', '\n').trim()
    const [within] = /BEGIN:VEVENT[\s\S]*END:VEVENT/.exec(lines) ?? []
    return within ?? `BEGIN:VEVENT\n${lines}\nEND:VEVENT`
  }
  const { uid = randomUUID(), summary = 'Busy', start, end, timeZone, rrule, ...rest } = event
  const time = (name: string, value: string) =>
    value.length === 10
      ? `${name};VALUE=DATE:${compact(value)}`
      : `${name}${timeZone ? `;TZID=${timeZone}` : ''}:${compact(value)}`
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp(now)}`,
    time('DTSTART', start),
    time('DTEND', end),
    `SUMMARY:${summary}`,
    ...(rrule ? [`RRULE:${rrule}`] : []),
    ...Object.entries(rest).map(([name, value]) => `${name.toUpperCase()}:${value}`),
    'END:VEVENT',
  ].join('\n')
}

/** A VCALENDAR of VEVENTs, with LF. */
export function writeCalendar(
  events: readonly string[],
  properties: Readonly<Record<string, string>> = {},
  before = '',
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...Object.entries({ PRODID: '-//Double//EN', ...properties }).map(([name, value]) => `${name}:${value}`),
    ...(before ? [before] : []),
    ...events,
    'END:VCALENDAR',
  ]
  return `${lines.join('\n').split('\n').map(fold).join('\n')}\n`
}

export function uidOf(text: string): string {
  return /^UID:(.*)$/m.exec(text.replaceAll('\r\n', '\n').replaceAll('\n ', ''))?.[1]?.trim() ?? ''
}

/** `20300107T100000Z` */
export function stamp(instant: number): string {
  return `${compact(new Date(instant).toISOString().slice(0, 19))}Z`
}

function compact(time: string): string {
  return time.replace(/[-:]/g, '').replace(/\.\d+/, '')
}

/** RFC 5545 3.1: 75 octets, the next line begins with a space. */
function fold(line: string): string {
  const pieces: string[] = []
  let piece = ''
  for (const letter of line) {
    if (Buffer.byteLength(piece + letter) > 74) {
      pieces.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...pieces, piece].join('\n ')
}
