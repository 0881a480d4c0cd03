import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { zoneOfEitherName } from '../../platform/icalendar/windows-zones.ts'
import type { ListedCalendar } from '../client/account-client.ts'
import type { Api } from '../oauth/api.ts'
import { noMailbox } from './graph-refusal.ts'
import { listPages } from './list-pages.ts'

/** Null where it is not a list, as Graph once sent it for personal accounts: that says nothing of the calendar. */
export const MeetingProviders = z.array(z.string()).nullish().catch(null)

/** https://learn.microsoft.com/graph/api/resources/calendar */
const GraphCalendar = z.object({
  id: z.string(),
  name: z.string().nullish(),
  canEdit: z.boolean().nullish(),
  isDefaultCalendar: z.boolean().nullish(),
  allowedOnlineMeetingProviders: MeetingProviders,
  owner: z.object({ address: z.string().nullish() }).nullish().catch(null),
})
const ZoneSetting = z.object({ value: z.string() })

const FIELDS = 'id,name,canEdit,isDefaultCalendar,owner'
/** Pages are of ten where Graph does not heed what is asked for. */
const MAX_PAGES = 50

/** The meetings that can be made in calendars of organizations; personal accounts have none. */
export const TEAMS = 'teamsForBusiness'

/** Every calendar of the mailbox, shared ones too. With `IdType`, Graph would return other ids. */
export async function listGraphCalendars(api: Api): Promise<readonly ListedCalendar[]> {
  const items = await listItems(api)
  if (items === null) throw noMailbox()
  const timezone = await zoneOfMailbox(api)
  const calendars = items.flatMap((item) => GraphCalendar.safeParse(item).data ?? [])
  const me = calendars.find(({ isDefaultCalendar }) => isDefaultCalendar)?.owner?.address?.toLowerCase()
  return Promise.all(
    calendars.map(async (calendar) => {
      const { id, name, canEdit, isDefaultCalendar, allowedOnlineMeetingProviders: meetings } = calendar
      const address = calendar.owner?.address ?? undefined
      const owner = me !== undefined && address?.toLowerCase() !== me ? address : undefined
      const isHidden = owner !== undefined && !canEdit && !(await showsEvents(api, id))
      return {
        externalId: id,
        name: name ?? 'Calendar',
        isPrimary: isDefaultCalendar ?? false,
        canWrite: canEdit ?? false,
        timezone,
        ...(meetings && { makesMeetings: meetings.includes(TEAMS) }),
        ...(owner !== undefined && { owner }),
        ...(isHidden && { reads: 'free_busy' as const }),
      }
    }),
  )
}

/** In 2025 Graph refused the whole list of personal accounts because of one field, so a refused list is requested without it. */
async function listItems(api: Api): Promise<readonly unknown[] | null> {
  const pages = { most: MAX_PAGES, headers: {}, tooMany: 'account has more calendars' }
  const list = (fields: string) =>
    listPages(api, { path: '/me/calendars', query: { $select: fields, $top: '50' } }, pages)
  try {
    return await list(`${FIELDS},allowedOnlineMeetingProviders`)
  } catch (error) {
    const status = error instanceof CalendarError ? (error.status ?? 0) : 0
    if (status !== 403 && status < 500) throw error
    return list(FIELDS)
  }
}

/** Whether the events of a calendar that somebody shares can be read: the list does not say it. */
async function showsEvents(api: Api, id: string): Promise<boolean> {
  const now = new Date().toISOString()
  const query = { startDateTime: now, endDateTime: now, $top: '1', $select: 'id' }
  const path = `/me/calendars/${encodeURIComponent(id)}/calendarView`
  return (await api({ path, query, expects: [403, 404] })).status < 400
}

/** Null where its name means none that is known. */
export async function zoneOfMailbox(api: Api): Promise<string | null> {
  const zone = ZoneSetting.safeParse((await api({ path: '/me/mailboxSettings/timeZone' })).json)
  return zone.success ? zoneOfEitherName(zone.data.value) : null
}
