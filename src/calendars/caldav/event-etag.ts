import { type CaldavCalendar, urlOf } from './calendar-resource.ts'
import { propfind } from './dav-reports.ts'
import type { DavAnswer } from './dav-request.ts'
import { textAt } from './multistatus.ts'

/**
 * The etag that the server has for a resource, or null. Servers that change what they store send none (RFC 4791, section 5.3.4),
 * and proxies that compress make `W/…` (koreader/koreader#15707) or `…-gzip` (super-productivity/super-productivity#9154), which
 * match nothing.
 */
export async function etagOf(
  calendar: CaldavCalendar,
  id: string,
  { headers }: DavAnswer,
): Promise<string | null> {
  const told = headers.get('ETag')
  if (told !== null && !/^W\/|-gzip"?$/.test(told)) return told
  const { resources } = await propfind(calendar, urlOf(calendar, id), 0, ['D:getetag'])
  return textAt(resources[0]?.props, 'getetag') ?? told
}

/** As `If-Match` takes it: weak ones match nothing there (RFC 9110, section 13.1.1). */
export function strong(etag: string): string {
  return etag.replace(/^W\//, '')
}
