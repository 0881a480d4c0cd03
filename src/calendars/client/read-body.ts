import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { readText } from '../../platform/transport/read-text.ts'

/** An answer that is longer than the limit. */
export class TooLongAnswer extends CalendarError {
  constructor() {
    super('unusable', 'The server answers with more than can be read.')
  }
}

/**
 * The text of a body of at most `maxBytes`: one that is longer is given up as soon as it is (TooLongAnswer), one
 * that breaks off or has not ended when `signal` does is `unavailable`.
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  try {
    return await readText(response, { maxBytes, tooLong: () => new TooLongAnswer(), signal })
  } catch (error) {
    if (error instanceof CalendarError) throw error
    throw new CalendarError(
      'unavailable',
      signal.aborted
        ? 'The server took too long to answer.'
        : 'The server stopped in the middle of its answer.',
    )
  }
}
