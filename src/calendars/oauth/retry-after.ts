/**
 * The milliseconds that a Retry-After header asks to wait (RFC 9110, section 10.2.3); null when it does not. Microsoft
 * also sends fractions of seconds, Zoom times as ISO 8601 has them.
 */
export function retryAfterOf(headers: Headers, now = Date.now()): number | null {
  const value = headers.get('Retry-After')?.trim()
  if (!value) return null
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const at = Date.parse(value)
  return Number.isFinite(at) ? Math.max(at - now, 0) : null
}
