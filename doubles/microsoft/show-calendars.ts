import type { Call, Json, Reply } from '../world.ts'
import { badRequest, Refusal } from './graph-reply.ts'
import { changeKeyOf } from './make-ids.ts'
import type { Preferences } from './prefer.ts'
import { checkSelect, nextLink, pick, readQuery } from './read-query.ts'
import type { Account, Calendar, State } from './state.ts'

const PROPERTIES = new Set(
  'id name color hexColor isDefaultCalendar changeKey canShare canViewPrivateItems canEdit allowedOnlineMeetingProviders defaultOnlineMeetingProvider isTallyingResponses isRemovable owner'.split(
    ' ',
  ),
)

/** learn.microsoft.com/graph/api/resources/calendar */
function calendarJson(account: Account, calendar: Calendar, { isImmutable }: Preferences): Json {
  const isOwn = calendar.ownerMail === account.mail
  const [defaultProvider = 'unknown'] = [account.settings.onlineMeetingProviders].flat()
  return {
    // Documented as never changing, they come as others with the header: microsoftgraph/microsoft-graph-docs#10626
    id: isImmutable ? calendar.immutableId : calendar.id,
    name: calendar.name,
    color: 'auto',
    hexColor: '',
    isDefaultCalendar: calendar.isDefault,
    changeKey: changeKeyOf(account.id, calendar.version),
    canShare: isOwn && calendar.canEdit,
    canViewPrivateItems: isOwn,
    canEdit: calendar.canEdit,
    allowedOnlineMeetingProviders: calendar.canEdit ? account.settings.onlineMeetingProviders : [],
    defaultOnlineMeetingProvider: calendar.canEdit ? defaultProvider : 'unknown',
    isTallyingResponses: calendar.isDefault,
    isRemovable: !calendar.isDefault,
    owner: { name: calendar.ownerName, address: calendar.ownerMail },
  }
}

/** microsoftgraph/microsoft-graph-docs: the list failed as a whole where one field could not be computed. */
function refuseMeetings({ settings }: Account, select: readonly string[] | null): void {
  const status = settings.onlineMeetingProvidersFail
  if (status === 0 || (select !== null && !select.includes('allowedOnlineMeetingProviders'))) return
  const code = status === 403 ? 'ErrorAccessDenied' : 'ErrorInternalServerError'
  throw new Refusal(status, code, 'The online meeting providers cannot be told.')
}

/** Ten on a page, as everywhere in Outlook. Their names may be filtered, nothing else. */
export function listCalendars(state: State, account: Account, prefer: Preferences, call: Call): Reply {
  const query = readQuery(call.query)
  const select = checkSelect(query.select, PROPERTIES, 'calendar')
  refuseMeetings(account, select)
  const wanted = query.filter === null ? null : /^name eq '((?:[^']|'')*)'$/i.exec(query.filter.trim())?.[1]
  if (wanted === undefined) throw badRequest('This filter query is not supported.')
  if (query.orderBy.length > 0 || query.expand) throw badRequest('This query option is not supported.')
  const found = account.calendars.filter(
    ({ isGone, name }) => !isGone && (wanted === null || name === wanted.replaceAll("''", "'")),
  )
  const shown = found.slice(query.skip, query.skip + (query.top ?? state.settings.pageSize))
  const next = query.skip + shown.length
  return {
    status: 200,
    json: {
      '@odata.context': `https://graph.microsoft.com/v1.0/$metadata#users('${account.id}')/calendars`,
      ...(query.isCounted && { '@odata.count': found.length }),
      value: shown.map((one) => pick(calendarJson(account, one, prefer), select)),
      ...(next < found.length && { '@odata.nextLink': nextLink(call.base + call.path, query.said, next) }),
    },
  }
}

export function tellCalendar(account: Account, calendar: Calendar, prefer: Preferences, call: Call): Reply {
  const select = checkSelect(readQuery(call.query).select, PROPERTIES, 'calendar')
  refuseMeetings(account, select)
  return {
    status: 200,
    json: {
      '@odata.context': `https://graph.microsoft.com/v1.0/$metadata#users('${account.id}')/calendars/$entity`,
      ...pick(calendarJson(account, calendar, prefer), select),
    },
  }
}
