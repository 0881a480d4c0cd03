import type { Call, Reply } from '../world.ts'
import { accountOf, calendarById, defaultCalendar } from './accounts.ts'
import { answerEvent, findEvent, makeEvent } from './answer-event.ts'
import { answerSubscription } from './answer-subscription.ts'
import { tokenOf } from './authorize-call.ts'
import { createSubscription } from './create-subscription.ts'
import { instancesIn } from './expand-series.ts'
import { getSchedule } from './get-schedule.ts'
import {
  badRequest,
  graphHeaders,
  itemNotFound,
  malformedId,
  notSpoken,
  Refusal,
  refuse,
} from './graph-reply.ts'
import { type Listing, listEvents, page, readWindow, viewCalendar } from './list-events.ts'
import { isWellFormedId } from './make-ids.ts'
import { readPreferences } from './prefer.ts'
import { bodyOf } from './read-body.ts'
import { readQuery } from './read-query.ts'
import { isBasicOnly, needScope } from './scopes.ts'
import { listCalendars, tellCalendar } from './show-calendars.ts'
import { listSubscriptions } from './show-subscription.ts'
import { needMailbox, needSpace, tellMailboxSettings, tellUser } from './show-user.ts'
import type { Account, Calendar, State, Token } from './state.ts'
import { needService, withinLimits } from './throttle.ts'

/** What is asked, in lower case but for ids: `calendars('x')/events` is `calendars/x/events`. */
function partsOf(path: string): string[] {
  return path
    .replaceAll(/\('([^']*)'\)/g, '/$1')
    .replaceAll('()', '')
    .split('/')
    .filter(Boolean)
    .map((part) => {
      const plain = decodeURIComponent(part)
      return isWellFormedId(plain) ? plain : plain.toLowerCase()
    })
}

const noSegment = (name = '') => badRequest(`Resource not found for the segment '${name}'.`)
const noMethod = () =>
  new Refusal(405, 'Request_BadRequest', 'Specified HTTP method is not allowed for the request target.')

export async function answerGraph(state: State, call: Call): Promise<Reply> {
  try {
    needService(state)
    const token = tokenOf(state, call)
    const reply = await route(state, token, partsOf(call.path.slice('/v1.0'.length)), call)
    return { ...reply, headers: { ...graphHeaders(call), ...reply.headers } }
  } catch (error) {
    if (error instanceof Refusal) return refuse(error, call)
    if (error instanceof SyntaxError) return refuse(badRequest('Unable to read JSON request payload.'), call)
    throw error
  }
}

async function route(state: State, token: Token, parts: string[], call: Call): Promise<Reply> {
  const account = accountOf(state, token.grant.account.mail)
  const [first, ...rest] = parts
  if (first === '$batch') throw notSpoken('$batch')
  if (first === 'subscriptions') return routeSubscription(state, token, account, rest, call)
  if (first === 'me') return routeUser(state, token, account, rest, call)
  if (first === 'users') {
    if (rest[0] !== account.id && rest[0] !== account.mail) {
      throw new Refusal(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
    }
    return routeUser(state, token, account, rest.slice(1), call)
  }
  throw noSegment(first)
}

async function routeSubscription(
  state: State,
  { scopes }: Token,
  account: Account,
  rest: string[],
  call: Call,
): Promise<Reply> {
  needScope('subscribe', scopes)
  needMailbox(account)
  if (rest.length > 0) return answerSubscription(state, account, rest, call)
  if (call.method === 'GET') return listSubscriptions(state, account)
  if (call.method !== 'POST') throw noMethod()
  return createSubscription(state, account, bodyOf(call), readPreferences(call.headers.prefer))
}

const ELSEWHERE = [
  'calendargroups',
  'findmeetingtimes',
  'onlinemeetings',
  'translateexchangeids',
  'revokesigninsessions',
]

async function routeUser(
  state: State,
  token: Token,
  account: Account,
  parts: string[],
  call: Call,
): Promise<Reply> {
  const [first, ...rest] = parts
  if (first === undefined) {
    needScope('user', token.scopes)
    if (call.method !== 'GET') throw noMethod()
    return tellUser(account, call)
  }
  return withinLimits(state, account, () => {
    if (first === 'mailboxsettings') {
      needScope('mailboxSettings', token.scopes)
      if (call.method !== 'GET') throw noMethod()
      needMailbox(account)
      return tellMailboxSettings(account, settingNames(rest))
    }
    if (ELSEWHERE.includes(first)) throw notSpoken(`me/${first}`)
    if (!['calendar', 'calendars', 'calendarview', 'events'].includes(first)) throw noSegment(first)
    const isRead = call.method === 'GET' || rest[0] === 'getschedule'
    needScope(isRead ? 'readBasic' : 'write', token.scopes)
    needMailbox(account)
    if (call.method !== 'GET') needSpace(account)
    return routeOutlook(state, token, account, [first, ...rest], call)
  })
}

const SETTINGS = ['timeZone', 'dateFormat', 'timeFormat', 'language', 'workingHours', 'userPurpose']
const settingNames = ([name]: string[]): string[] =>
  name === undefined
    ? []
    : [[...SETTINGS, 'automaticRepliesSetting'].find((one) => one.toLowerCase() === name) ?? name]

/** The form of an id is checked before it is looked up: a malformed one has its own error. */
function calendarIn(account: Account, id: string): Calendar {
  if (!isWellFormedId(id)) throw malformedId()
  const calendar = calendarById(account, id)
  if (!calendar) throw itemNotFound()
  return calendar
}

function routeOutlook(state: State, token: Token, account: Account, parts: string[], call: Call): Reply {
  const prefer = readPreferences(call.headers.prefer)
  const [first, ...others] = parts
  const isListed = first === 'calendars'
  if (isListed && others.length === 0) {
    if (call.method !== 'GET') throw notSpoken('making calendars; POST /control/calendars does')
    return listCalendars(state, account, prefer, call)
  }
  const isCalendar = isListed || first === 'calendar'
  const calendar = isListed ? calendarIn(account, others[0]!) : defaultCalendar(account)
  const [collection, id, action] = isListed ? others.slice(1) : isCalendar ? others : parts
  if (collection === undefined) {
    if (call.method !== 'GET') throw notSpoken('changing calendars')
    return tellCalendar(account, calendar, prefer, call)
  }
  const isMailbox = first === 'events' && state.settings.meEventsCovers === 'all'
  const listing: Listing = {
    account,
    calendar: isMailbox ? null : calendar.key,
    prefer,
    isBasic: isBasicOnly(token.scopes),
  }
  if (first === 'calendar' && collection === 'getschedule') {
    if (call.method !== 'POST') throw noMethod()
    return getSchedule(account, call)
  }
  if (isListed && calendar.isFreeBusyOnly)
    throw new Refusal(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
  if (collection === 'calendarview') {
    if (call.method !== 'GET') throw noMethod()
    if (id !== undefined) throw noSegment(id)
    return viewCalendar(state, listing, call)
  }
  if (collection !== 'events') throw noSegment(collection)
  if (id === undefined) {
    if (call.method === 'GET') return listEvents(state, listing, call)
    if (call.method !== 'POST') throw noMethod()
    return makeEvent(state, listing, calendar, call)
  }
  if (action === 'instances' && call.method === 'GET') return listInstances(state, listing, id, call)
  if (action !== undefined) throw notSpoken(`events/{id}/${action}`)
  return answerEvent(state, listing, id, call)
}

/** learn.microsoft.com/graph/api/event-list-instances */
function listInstances(state: State, listing: Listing, id: string, call: Call): Reply {
  const { event } = findEvent(listing.account, id)
  const query = readQuery(call.query)
  const { fromMs, toMs } = readWindow(query)
  return page(state, listing, call, query, event.recurrence ? instancesIn(event, fromMs, toMs) : [], 'events')
}
