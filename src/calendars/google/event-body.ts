import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import { eventText } from '../client/event-text.ts'

/** Google takes 8,192 characters. */
const MAX_DESCRIPTION = 8000

/** Google counts the sequence itself, and takes none below its own. */
export function bodyOf(event: CalendarEvent) {
  return {
    summary: event.summary,
    description: asPlainText(eventText(event)),
    location: event.location ?? event.url ?? '',
    start: { dateTime: new Date(event.start).toISOString() },
    end: { dateTime: new Date(event.end).toISOString() },
    transparency: 'opaque',
  }
}

/** Google shows a description as HTML if it contains any, so signs that could be markup are escaped. */
function asPlainText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' }
  let html = ''
  for (const char of text) {
    const next = signs[char] ?? char
    if (html.length + next.length > MAX_DESCRIPTION) break
    html += next
  }
  return html
}
