import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { readText } from '../../platform/transport/read-text.ts'

/** The whole body as text; throws `unusable` when it is longer than `maxBytes`. */
export function boundedText(response: Response, maxBytes: number, from: string): Promise<string> {
  const tooLong = () => new CalendarError('unusable', `${from} sent more than can be read.`)
  return readText(response, { maxBytes, tooLong })
}
