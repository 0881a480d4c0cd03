import type { Json } from '../world.ts'

/** What an app may write; the rest of what it sends is read-only and has no effect. */
const writable =
  'anyoneCanAddSelf attendees colorId description end extendedProperties focusTimeProperties gadget guestsCanInviteOthers guestsCanModify guestsCanSeeOtherGuests location outOfOfficeProperties recurrence reminders sequence source start status summary transparency visibility workingLocationProperties'.split(
    ' ',
  )

/** Only these are of an attendee's own copy; the rest is the organizer's. */
const ownOfGuests = ['attendees', 'colorId', 'extendedProperties', 'reminders', 'transparency', 'visibility']

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * PATCH: what is named changes, objects are merged at every depth, `null` takes away, lists are replaced.
 * developers.google.com/workspace/calendar/api/guides/performance#patch
 */
export function mergePatch(before: Json, patch: Json): Json {
  const merged: Json = { ...before }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else
      merged[name] = isObject(value) ? mergePatch(isObject(merged[name]) ? merged[name] : {}, value) : value
  }
  return merged
}

export function patchEvent(before: Json, body: Json): Json {
  return clean(before, mergePatch(before, pick(body, writable)))
}

/** PUT: what is left out is gone, or as it is by default. */
export function replaceEvent(before: Json, body: Json): Json {
  const kept = Object.fromEntries(
    Object.entries(before).filter(([name]) => !writable.includes(name) || name === 'sequence'),
  )
  const given = Object.entries(pick(body, writable)).filter(([, value]) => value !== null)
  return clean(before, {
    ...kept,
    status: 'confirmed',
    reminders: { useDefault: true },
    ...Object.fromEntries(given),
  })
}

export function pick(body: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))
}

/** What of a change an attendee's copy may not have: the names that are the organizer's. */
export function organizersOnly(before: Json, after: Json): string[] {
  return writable.filter(
    (name) =>
      !ownOfGuests.includes(name) &&
      name !== 'status' &&
      name !== 'sequence' &&
      JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
}

function clean(before: Json, after: Json): Json {
  const answers = new Map<string, Json>(
    (before.attendees ?? []).map((one: Json) => [one.email.toLowerCase(), one]),
  )
  // Somebody who is written again without an answer keeps the one that was given.
  const attendees = after.attendees?.map((one: Json) => {
    const known = answers.get(one.email?.toLowerCase())
    const { self: _, organizer: __, ...rest } = one
    return { responseStatus: known?.responseStatus ?? 'needsAction', ...rest }
  })
  const cleaned: Json = { ...after, ...(attendees && { attendees }) }
  if (attendees && !attendees.length) delete cleaned.attendees
  if (cleaned.transparency === 'opaque') delete cleaned.transparency
  if (cleaned.visibility === 'default') delete cleaned.visibility
  if (!cleaned.recurrence?.length) delete cleaned.recurrence
  if (cleaned.extendedProperties) {
    cleaned.extendedProperties = cleanProperties(cleaned.extendedProperties)
    if (!Object.keys(cleaned.extendedProperties).length) delete cleaned.extendedProperties
  }
  return cleaned
}

/** Longer keys are dropped and longer values cut, silently: developers.google.com/workspace/calendar/api/guides/extended-properties. */
function cleanProperties(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([kind, value]) => ['private', 'shared'].includes(kind) && isObject(value))
      .map(([kind, value]) => [
        kind,
        Object.fromEntries(
          Object.entries(value as Json)
            .filter(([key]) => key.length <= 44)
            .map(([key, text]) => [key, String(text).slice(0, 1024)]),
        ),
      ])
      .filter(([, value]) => Object.keys(value!).length > 0),
  )
}
