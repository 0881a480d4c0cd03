import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'

const MAX_LENGTH = 8000

/**
 * The description of an event at a suite that would invite its attendees. They have our invitation, so they are listed in the
 * text, without brackets that could be read as markup.
 */
export function eventText({ description, url, attendees }: CalendarEvent): string {
  const people = attendees.filter(({ email }) => !description.includes(email))
  const lines = [
    ...(url !== null && !description.includes(url) ? [url] : []),
    ...people.map(({ name, email }) => `${name} (${email})`),
  ]
  return [description, lines.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
}
