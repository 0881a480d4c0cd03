import { type CaldavCalendar, urlOf } from './calendar-resource.ts'
import { propfind } from './dav-reports.ts'
import { askServer } from './dav-request.ts'
import { etagOf, strong } from './event-etag.ts'
import { expectCalendar, expectSuccess, failureOf } from './judge-answer.ts'

/** Removes an event; one that is gone already is fine. Throws CalendarErrors. */
export async function removeEvent(calendar: CaldavCalendar, id: string): Promise<void> {
  const answer = await askServer(calendar, { method: 'DELETE', url: urlOf(calendar, id) })
  if (answer.status === 404 || answer.status === 410) return assertAnswers(calendar)
  if (answer.status === 403) return cancelUpcoming(calendar, id)
  expectSuccess(answer)
}

/** Only a calendar that answers can say that an event of it is gone: while a server starts, a proxy may say 404 to everything. */
async function assertAnswers(calendar: CaldavCalendar): Promise<void> {
  await propfind(calendar, calendar.url, 0, ['D:resourcetype'])
}

/**
 * Nextcloud refuses to delete what it has twice in its trash already (nextcloud/server#42582). It may be gone all the same;
 * else it stays as one that was called off and blocks nothing.
 */
async function cancelUpcoming(calendar: CaldavCalendar, id: string): Promise<void> {
  const url = urlOf(calendar, id)
  const there = await askServer(calendar, { method: 'GET', url })
  if (there.status === 404 || there.status === 410) return assertAnswers(calendar)
  expectCalendar(there)
  const etag = await etagOf(calendar, id, there)
  const answer = await askServer(calendar, {
    method: 'PUT',
    url,
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'If-Match': etag === null ? '*' : strong(etag),
    },
    body: calledOff(there.body),
  })
  const failure = failureOf(answer)
  if (failure !== null) throw failure
}

function calledOff(text: string): string {
  return text
    .replace(/^(STATUS|TRANSP)[;:].*\r?\n/gim, '')
    .replace(/^BEGIN:VEVENT\r?\n/gim, (line) => `${line}STATUS:CANCELLED\r\nTRANSP:TRANSPARENT\r\n`)
}
