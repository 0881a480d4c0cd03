import { oneLine } from './email-content.ts'

/** What somebody typed is no longer than this in a subject, so that the date behind it is read too. */
const MOST_CHARACTERS = 60
/** They turn around all that follows them, to the end of the line (Unicode, UAX #9). */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** A name or a title as a subject takes it. */
export function inSubject(typed: string): string {
  const characters = [...oneLine(typed).replace(TURNS, '')]
  return characters.length > MOST_CHARACTERS
    ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`
    : characters.join('')
}
