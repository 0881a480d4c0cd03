import { CalendarError } from '../calendar/calendar-client.ts'
import type { DavAnswer } from './dav-request.ts'

/** The failure for a status; null for 2xx. */
export function failureOf({ status, headers }: DavAnswer): CalendarError | null {
  if (status >= 200 && status < 300) return null
  if (status === 401) return new CalendarError('refused', 'The server refuses the user name or password.')
  if (status === 403)
    return new CalendarError('refused', 'The server does not permit this account to do that.')
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return new CalendarError(
      'unavailable',
      `The server answered with status ${status}.`,
      retryAfterOf(headers),
    )
  }
  return new CalendarError('unusable', `The server answered with status ${status}.`)
}

/** Milliseconds (RFC 9110, section 10.2.3); null where the value makes no sense. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('Retry-After')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : null
}

/** Throws the failure for the status, or `unusable` where the body has the wrong type. */
export function expectKind(answer: DavAnswer, kind: 'xml' | 'calendar'): void {
  const failure = failureOf(answer)
  if (failure !== null) throw failure
  const type = (answer.headers.get('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase()
  const wanted = kind === 'xml' ? ['text/xml', 'application/xml'] : ['text/calendar']
  if (wanted.includes(type)) return
  throw new CalendarError(
    'unusable',
    type === 'text/html'
      ? 'The server answers with a web page: this is no address of a CalDAV server.'
      : `The server answers with ${type.slice(0, 100) || 'something'} instead of a calendar.`,
  )
}
