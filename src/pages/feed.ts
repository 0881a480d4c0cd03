import { readFeed } from '../calendars/feeds/read-feed.ts'
import { sha256 } from '../platform/auth/secret.ts'
import { hasCurrent } from '../platform/http/entity-tag.ts'
import type { Page, Params } from './page.ts'
import { plain } from './respond.ts'

/** The bookings as a file that calendar programs subscribe to. */
export async function calendarFeed(page: Page, { token = '' }: Params): Promise<Response> {
  const { env, now, request } = page.ctx
  const text = await readFeed(env, token, now)
  const etag = `"${(await sha256(text)).slice(0, 32)}"`
  const headers = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': 'inline; filename="bookings.ics"',
  }
  return hasCurrent(request, etag)
    ? plain(page, 'text/calendar', null, { status: 304, isPrivate: true, headers })
    : plain(page, 'text/calendar', text, { isPrivate: true, headers })
}
