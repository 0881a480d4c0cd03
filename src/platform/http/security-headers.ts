const YEAR_S = 31_536_000

/** Sets the headers of every answer. `public/_headers` does the same for the files that never reach the Worker. */
export function addSecurityHeaders(request: Request, { headers }: Response): void {
  headers.set('X-Content-Type-Options', 'nosniff')
  const { protocol, hostname } = new URL(request.url)
  // Over http it means nothing (RFC 6797, section 7.2), and on localhost it would bind every other port as well.
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol === 'https:' && !isLocal) {
    headers.set('Strict-Transport-Security', `max-age=${YEAR_S}; includeSubDomains`)
  }
}
