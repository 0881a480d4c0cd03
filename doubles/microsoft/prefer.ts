import { Refusal } from './graph-reply.ts'
import { ianaOf } from './windows-zones.ts'

export type Preferences = {
  /** The zone of the times; `UTC` by default. */
  readonly zone: string
  readonly isZoneSaid: boolean
  readonly body: 'html' | 'text'
  readonly isImmutable: boolean
  readonly maxPageSize: number | null
  /** What `Preference-Applied` says. */
  readonly applied: string[]
}

/**
 * Preferences may come in one header or in several, which are joined by now. learn.microsoft.com/graph/api/event-get,
 * …/outlook-immutable-id, …/delta-query-events
 */
export function readPreferences(header: string | undefined): Preferences {
  const said = new Map<string, string>()
  for (const [, name, quoted, plain] of (header ?? '').matchAll(
    /([\w.-]+)(?:\s*=\s*(?:"([^"]*)"|([^,;\s]+)))?/g,
  )) {
    said.set(name!.toLowerCase(), quoted ?? plain ?? '')
  }
  const zone = said.get('outlook.timezone')
  if (zone !== undefined && ianaOf(zone) === null) throw zoneNotSupported(zone)
  const body = said.get('outlook.body-content-type')?.toLowerCase()
  const size = Number(said.get('odata.maxpagesize'))
  const applied = [
    ...(zone === undefined ? [] : [`outlook.timezone="${zone}"`]),
    ...(body === undefined ? [] : [`outlook.body-content-type="${body}"`]),
    ...(said.has('odata.maxpagesize') ? [`odata.maxpagesize=${size}`] : []),
  ]
  return {
    zone: zone ?? 'UTC',
    isZoneSaid: zone !== undefined,
    body: body === 'text' ? 'text' : 'html',
    isImmutable: said.get('idtype')?.toLowerCase() === 'immutableid',
    maxPageSize: size > 0 ? size : null,
    applied,
  }
}

export const zoneNotSupported = (zone: string): Refusal =>
  new Refusal(
    400,
    'TimeZoneNotSupportedException',
    `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${zone}'.`,
  )
