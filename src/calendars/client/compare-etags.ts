import type { CalendarChanges, ExternalEvent } from './calendar-client.ts'

/** What differs between a whole listing and what is `known` of it, etags by id. An event without one may have changed. */
export function compareEtags(
  listed: readonly ExternalEvent[],
  known: ReadonlyMap<string, string>,
): Pick<CalendarChanges, 'changed' | 'gone' | 'isComplete'> {
  const present = new Set(listed.map(({ id }) => id))
  return {
    changed: listed.filter(({ id, etag }) => etag === null || known.get(id) !== etag),
    gone: [...known.keys()].filter((id) => !present.has(id)),
    isComplete: false,
  }
}
