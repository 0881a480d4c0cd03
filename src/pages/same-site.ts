/**
 * Whether a form was sent by one of our own pages. Browsers say so in `Sec-Fetch-Site`; older ones send the origin. A client
 * that sends neither is not a browser, and has no one's authority to misuse: the pages have no sessions.
 */
export function isFromOwnPage(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = request.headers.get('origin')
  return origin === null || origin === new URL(request.url).origin
}
