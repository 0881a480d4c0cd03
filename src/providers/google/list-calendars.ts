import * as z from 'zod'
import type { ListedCalendar } from '../calendar/account-client.ts'
import { CalendarError } from '../calendar/calendar-client.ts'
import type { Api } from '../oauth/api.ts'

/** https://developers.google.com/workspace/calendar/api/v3/reference/calendarList */
const Entry = z.object({
  id: z.string(),
  summary: z.string().optional(),
  summaryOverride: z.string().optional(),
  timeZone: z.string().optional(),
  accessRole: z.string(),
  primary: z.boolean().optional(),
})
const Page = z.object({ items: z.array(Entry).default([]), nextPageToken: z.string().optional() })

const PATH = '/users/me/calendarList'
const MAX_PAGES = 20

/** Writers without private access read and change all but what is marked as private. */
const WRITERS = ['owner', 'writer', 'writerWithoutPrivateAccess']

/** Who only reads free and busy times can list no events, which that calendar is then left out for. */
const QUERY = {
  maxResults: '250',
  minAccessRole: 'reader',
  showHidden: 'true',
  fields: 'nextPageToken,items(id,summary,summaryOverride,timeZone,accessRole,primary)',
}

/** All calendars of the account whose events it may read, those that it hides from its list too. */
export async function listGoogleCalendars(api: Api): Promise<ListedCalendar[]> {
  const listed: ListedCalendar[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = { ...QUERY, ...(pageToken !== undefined && { pageToken }) }
    const page = Page.safeParse((await api({ path: PATH, query })).json)
    if (!page.success) throw new CalendarError('unusable', 'Google Calendar sent no list of calendars.')
    listed.push(...page.data.items.map(toListed))
    if (page.data.nextPageToken === undefined) return listed
    pageToken = page.data.nextPageToken
  }
  throw new CalendarError('unusable', 'The Google account has more calendars than can be read.')
}

/** The id of a main calendar is the address of its owner. */
export async function findMainCalendar(api: Api): Promise<ListedCalendar> {
  const entry = Entry.safeParse((await api({ path: `${PATH}/primary` })).json)
  if (!entry.success) throw new CalendarError('unusable', 'Google Calendar sent no calendar.')
  return toListed(entry.data)
}

function toListed(entry: z.infer<typeof Entry>): ListedCalendar {
  const { id, summary, summaryOverride, timeZone = null, accessRole, primary = false } = entry
  return {
    externalId: id,
    name: summaryOverride ?? summary ?? id,
    isPrimary: primary,
    canWrite: WRITERS.includes(accessRole),
    timezone: timeZone,
  }
}
