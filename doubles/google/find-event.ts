import type { Json } from '../world.ts'
import { instanceId, instanceOf, startsOf } from './expand-series.ts'
import type { Calendar, StoredEvent } from './state.ts'

export type FoundEvent = {
  readonly fields: Json
  readonly version: number
  /** Null for an instance that nobody changed yet. */
  readonly stored: StoredEvent | null
  readonly series: StoredEvent | null
}

/** An event, a series or an instance by its id, deleted ones too; null for what never was or is gone for good. */
export function findEvent(calendar: Calendar, id: string): FoundEvent | null {
  const stored = calendar.events.get(id)
  if (stored) {
    if (stored.isPurged) return null
    const series = calendar.events.get(stored.fields.recurringEventId ?? '') ?? null
    return { fields: stored.fields, version: stored.version, stored, series }
  }
  const [, seriesId = '', stamp = ''] = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/.exec(id) ?? []
  const series = calendar.events.get(seriesId)
  if (!series?.fields.recurrence || series.isPurged) return null
  const original = originalOf(series.fields, calendar.timeZone, stamp)
  if (!original) return null
  const fields = instanceOf(series.fields, original, calendar.timeZone)
  return { fields, version: series.version, stored: null, series }
}

function originalOf(series: Json, zone: string, stamp: string): Json | null {
  const wanted = `${series.id}_${stamp}`
  const day = Date.UTC(Number(stamp.slice(0, 4)), Number(stamp.slice(4, 6)) - 1, Number(stamp.slice(6, 8)))
  for (const original of startsOf(series, zone, day + 2 * 86_400_000)) {
    if (instanceId(series.id, original) === wanted) return original
  }
  return null
}

/** Deleted, or an instance of a deleted series. */
export function isDeleted({ fields, series }: Pick<FoundEvent, 'fields' | 'series'>): boolean {
  return fields.status === 'cancelled' || series?.fields.status === 'cancelled'
}
