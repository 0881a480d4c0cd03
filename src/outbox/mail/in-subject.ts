import { oneLine } from './email-content.ts'

/** The maximum length of typed text in a subject, so that the date after it is visible. */
const MOST_CHARACTERS = 60
/** They change the direction of everything after them in the line (Unicode, UAX #9). */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

export function withoutTurns(text: string): string {
  return text.replace(TURNS, '')
}

/** A name or a title for a subject. */
export function inSubject(typed: string): string {
  const characters = [...withoutTurns(oneLine(typed))]
  return characters.length > MOST_CHARACTERS
    ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`
    : characters.join('')
}
