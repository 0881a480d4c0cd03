import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Call, Reply } from '../world.ts'
import type { Failure, KeptFeed } from './state.ts'
import { writeFeed } from './write-feed.ts'

export function answerFeed(feed: KeptFeed | undefined, call: Call): Reply {
  if (!['GET', 'HEAD'].includes(call.method)) return { status: 405, headers: { Allow: 'GET, HEAD' } }
  if (!feed) return FAILURES.missing
  // Permanent ones too, and from http to https or elsewhere: sailfishos/issue-tracker#56, nextcloud/calendar#42
  if (feed.redirect) {
    const { to, status } = feed.redirect
    return { status, headers: { Location: to.startsWith('/') ? `${call.base}${to}` : to } }
  }
  if (feed.failure) return failing(feed.failure, call) ?? told(feed, call)
  return told(feed, call)
}

function told(feed: KeptFeed, { headers, now }: Call): Reply {
  const text = Buffer.from(writeFeed(feed, now))
  const tag = `"${createHash('sha1').update(text).digest('hex')}"`
  const etag = feed.etag === 'weak' ? `W/${tag}` : tag
  const lastModified = new Date(feed.changedAt).toUTCString()
  const validators = {
    ...(feed.etag !== 'none' && { ETag: etag }),
    ...(feed.hasLastModified && { 'Last-Modified': lastModified }),
    'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
  }
  if (feed.answersConditions && isUnchanged(feed, headers, tag)) return { status: 304, headers: validators }
  const isZipped =
    feed.gzip === 'always' || (feed.gzip === 'asked' && /\bgzip\b/.test(headers['accept-encoding'] ?? ''))
  const body = isZipped ? gzipSync(text) : text
  return {
    status: 200,
    body,
    headers: {
      ...validators,
      // text/plain: TracksApp/tracks#273; text/html: jasperweyne/helpless-kiwi#201
      ...(feed.contentType !== null && { 'Content-Type': feed.contentType }),
      ...(isZipped && { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }),
      ...(feed.hasLength && { 'Content-Length': String(body.length) }),
    },
  }
}

/** RFC 9110 13.1.2 and 13.1.3: tags are compared weakly, and a date only counts where there is no tag. */
function isUnchanged(feed: KeptFeed, headers: Call['headers'], tag: string): boolean {
  const none = headers['if-none-match']
  if (none !== undefined)
    return (
      feed.etag !== 'none' &&
      none.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
    )
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return feed.hasLastModified && Math.floor(feed.changedAt / 1000) * 1000 <= since
}

function failing(failure: Failure, { headers }: Call): Reply | null {
  // What comes without a name is refused: franc6/ics_calendar#75
  if (failure === 'wants a browser')
    return headers['user-agent']?.includes('Mozilla') ? null : page(403, 'Forbidden')
  return FAILURES[failure]
}

const FAILURES: Readonly<Record<Exclude<Failure, 'wants a browser'>, Reply>> = {
  // An address of Outlook's that is over or was mistyped: AWildLeon/Glance-iCal-Events#10
  'login page': page(
    200,
    'Sign in to your account',
    '<form action="/common/login" method="post"><input name="loginfmt" type="email"></form>',
  ),
  // support.google.com/calendar: the secret address can be reset, and the one before it is not found then.
  reset: page(404, 'Error 404 (Not Found)!!1', '<p>The requested URL was not found on this server.</p>'),
  missing: page(404, 'Not Found'),
  gone: page(410, 'Gone'),
  // Outlook answers 500 to an address that was published and is no more, or for a while: franc6/ics_calendar#254
  broken: page(500, 'Internal Server Error'),
  // franc6/ics_calendar#29
  unavailable: page(503, 'Service Unavailable'),
  // runely/calendar-homey#453
  'wants a password': { ...page(401, 'Unauthorized'), headers: { 'WWW-Authenticate': 'Basic realm="feed"' } },
  'too many': { ...page(429, 'Too Many Requests'), headers: { 'Retry-After': '3600' } },
}

function page(status: number, title: string, content = ''): Reply {
  return {
    status,
    html: `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${content}</body></html>`,
  }
}
