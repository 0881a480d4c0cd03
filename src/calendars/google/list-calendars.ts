import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { ListedCalendar } from '../client/account-client.ts'
import type { Api, ApiAnswer } from '../oauth/api.ts'

/** https://developers.google.com/workspace/calendar/api/v3/reference/calendarList */
const Calendar = z.object({
  id: z.string(),
  summary: z.string().optional(),
  timeZone: z.string().optional(),
})
const Entry = Calendar.extend({
  summaryOverride: z.string().optional(),
  accessRole: z.string(),
  primary: z.boolean().optional(),
  dataOwner: z.string().optional(),
})
const Page = z.object({ items: z.array(Entry).default([]), nextPageToken: z.string().optional() })

const PATH = '/users/me/calendarList'
const MAX_PAGES = 20

/** Writers without private access read and change all but what is marked as private. */
const WRITERS = ['owner', 'writer', 'writerWithoutPrivateAccess']

/** Colleagues of a Google Workspace share free and busy times only, unless they say otherwise. */
const QUERY = {
  maxResults: '250',
  minAccessRole: 'freeBusyReader',
  showHidden: 'true',
  fields: 'nextPageToken,items(id,summary,summaryOverride,timeZone,accessRole,primary,dataOwner)',
}

/**
 * All calendars of the account, those that it hides from its list too. The main one alone where
 * the list is not permitted: version 1.0 asked for the properties of calendars only.
 */
export async function listGoogleCalendars(api: Api): Promise<ListedCalendar[]> {
  try {
    return await readList(api)
  } catch (error) {
    if (!(error instanceof CalendarError) || error.failure !== 'refused') throw error
    const main = read(Calendar, await api({ path: '/calendars/primary' }))
    return [toListed({ ...main, accessRole: 'owner', primary: true }, main.id)]
  }
}

async function readList(api: Api): Promise<ListedCalendar[]> {
  const entries: CalendarEntry[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = { ...QUERY, ...(pageToken !== undefined && { pageToken }) }
    const { items, nextPageToken } = read(Page, await api({ path: PATH, query }))
    entries.push(...items)
    if (nextPageToken === undefined) {
      const account = entries.find(({ primary }) => primary)?.id
      return entries.map((entry) => toListed(entry, account))
    }
    pageToken = nextPageToken
  }
  throw new CalendarError('unusable', 'The Google account has more calendars than can be read.')
}

/** The id of a main calendar is the address of its owner. */
export async function findMainCalendar(api: Api): Promise<ListedCalendar> {
  const main = read(Entry, await api({ path: `${PATH}/primary` }))
  return toListed(main, main.id)
}

function read<T>(shape: z.ZodType<T>, { json }: ApiAnswer): T {
  const parsed = shape.safeParse(json)
  if (parsed.success) return parsed.data
  throw new CalendarError('unusable', 'Google Calendar sent no calendars.')
}

type CalendarEntry = z.infer<typeof Entry>

/** `account` is the address of the account. Its access may be that of an owner although somebody else owns the data. */
function toListed(entry: CalendarEntry, account: string | undefined): ListedCalendar {
  const { id, summary, summaryOverride, timeZone = null, accessRole, primary = false, dataOwner } = entry
  return {
    externalId: id,
    name: summaryOverride ?? summary ?? id,
    isPrimary: primary,
    canWrite: WRITERS.includes(accessRole),
    timezone: timeZone,
    // https://developers.google.com/workspace/calendar/api/v3/reference/calendarList: secondary calendars only, since 2026
    ...(dataOwner !== undefined &&
      dataOwner.toLowerCase() !== account?.toLowerCase() && { owner: dataOwner }),
    ...(accessRole === 'freeBusyReader' && { reads: 'free_busy' as const }),
  }
}
