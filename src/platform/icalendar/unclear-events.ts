/** An event as its owner finds it: its UID and the date of its start (`YYYY-MM-DD`), null where it has none that can be read. */
export type EventName = { readonly uid: string | null; readonly date: string | null }

/** Events of which something that changes busy time could not be understood, for the owner to know. */
export type Unclear = { readonly count: number; readonly earliest: EventName | null }

export const ALL_CLEAR: Unclear = { count: 0, earliest: null }

export function unclearEvent(name: EventName): Unclear {
  return { count: 1, earliest: name }
}

export function together(all: Iterable<Unclear>): Unclear {
  let { count, earliest } = ALL_CLEAR
  for (const each of all) {
    count += each.count
    const isFirst =
      each.earliest !== null && (earliest === null || orderOf(each.earliest) < orderOf(earliest))
    if (isFirst) earliest = each.earliest
  }
  return { count, earliest }
}

/** By date and UID, those without a date last. */
function orderOf({ uid, date }: EventName): string {
  return `${date ?? '~'} ${uid ?? '~'}`
}

const MAX_UID = 100

/** A UID as it is shown and remembered; null for none. Feeds may have any. */
export function shownUid(uid: string): string | null {
  const plain = uid.replace(/[\p{C}\s]+/gu, ' ').trim()
  if (plain === '') return null
  return plain.length > MAX_UID ? `${plain.slice(0, MAX_UID).toWellFormed()}…` : plain
}

/** The date of a time in epoch milliseconds. */
export function dateOf(time: number | null | undefined): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10)
}
