import type { Call, OpenWorld, Reply } from '../world.ts'
import { authorize } from './authorize.ts'
import { type Caller, checkAccess } from './check-access.ts'
import { placeOf } from './check-calendar.ts'
import { checkQuery } from './check-query.ts'
import { control } from './control.ts'
import { revoke } from './end-grants.ts'
import { giveTokens } from './give-tokens.ts'
import { getCalendar, getEntry, listCalendars } from './list-calendars.ts'
import { listEvents } from './list-events.ts'
import { addPretendAccounts } from './pretend-accounts.ts'
import { queryFreeBusy } from './query-free-busy.ts'
import { getEvent, listInstances } from './read-events.ts'
import { notFound, Refusal } from './refuse.ts'
import { makeState, type State } from './state.ts'
import { stopChannel, watch } from './watch-resources.ts'
import { changeEvent, deleteEvent, insertEvent } from './write-events.ts'

/**
 * A double of Google's login and of its Calendar API v3, written from their documentation and public issues. Its paths are
 * Google's: `/o/oauth2/v2/auth`, `/token`, `/revoke`, `/calendar/v3/…`. `doubles/README.md` says what it speaks.
 */
export const openGoogle: OpenWorld = (frame) => {
  const state = makeState(frame)
  addPretendAccounts(state)
  return {
    answer: (call) => orRefusal(() => answer(state, call)),
    control: (call) => orRefusal(() => control(state, call)),
  }
}

function orRefusal(work: () => Reply): Reply {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

function answer(state: State, call: Call): Reply {
  switch (`${call.method} ${call.path}`) {
    case 'GET /o/oauth2/v2/auth':
      return authorize(state, call)
    case 'POST /token':
      return giveTokens(state, call)
    case 'POST /revoke':
      return revoke(state, call)
  }
  if (call.path.startsWith('/calendar/v3/')) return answerCalendar(state, call)
  return { status: 404, html: '<!doctype html><title>Error 404 (Not Found)!!1</title>' }
}

type Route = {
  readonly method: string
  readonly run: (state: State, caller: Caller, call: Call, ids: readonly string[]) => Reply
}

/** A route of events looks for its calendar first, which is a 404 where the caller cannot see it. */
const inCalendar = (
  method: string,
  run: (state: State, caller: Caller, place: ReturnType<typeof placeOf>, call: Call, id: string) => Reply,
): Route => ({
  method,
  run: (state, caller, call, [calendarId = '', id = '']) =>
    run(state, caller, placeOf(state, caller, method, calendarId), call, id),
})

const routes: readonly (readonly [string, RegExp, Route])[] = [
  ['GET', /^users\/me\/calendarList$/, { method: 'CalendarList.List', run: listCalendars }],
  [
    'POST',
    /^users\/me\/calendarList\/watch$/,
    { method: 'CalendarList.Watch', run: (state, caller, call) => watch(state, caller, call, null) },
  ],
  [
    'GET',
    /^users\/me\/calendarList\/([^/]+)$/,
    {
      method: 'CalendarList.Get',
      run: (state, caller, call, [id = '']) => getEntry(state, caller, call, id),
    },
  ],
  [
    'GET',
    /^calendars\/([^/]+)$/,
    {
      method: 'Calendars.Get',
      run: (state, caller, call, [id = '']) => getCalendar(state, caller, call, id),
    },
  ],
  ['GET', /^calendars\/([^/]+)\/events$/, inCalendar('Events.List', listEvents)],
  ['POST', /^calendars\/([^/]+)\/events$/, inCalendar('Events.Insert', insertEvent)],
  [
    'POST',
    /^calendars\/([^/]+)\/events\/watch$/,
    {
      method: 'Events.Watch',
      run: (state, caller, call, [id = '']) => watch(state, caller, call, id),
    },
  ],
  [
    'GET',
    /^calendars\/([^/]+)\/events\/([^/]+)$/,
    inCalendar('Events.Get', (_, caller, place, call, id) => getEvent(caller, place, call, id)),
  ],
  ['PUT', /^calendars\/([^/]+)\/events\/([^/]+)$/, inCalendar('Events.Update', changeEvent)],
  ['PATCH', /^calendars\/([^/]+)\/events\/([^/]+)$/, inCalendar('Events.Patch', changeEvent)],
  ['DELETE', /^calendars\/([^/]+)\/events\/([^/]+)$/, inCalendar('Events.Delete', deleteEvent)],
  ['GET', /^calendars\/([^/]+)\/events\/([^/]+)\/instances$/, inCalendar('Events.Instances', listInstances)],
  ['POST', /^freeBusy$/, { method: 'Freebusy.Query', run: queryFreeBusy }],
  ['POST', /^channels\/stop$/, { method: 'Channels.Stop', run: stopChannel }],
]

function answerCalendar(state: State, call: Call): Reply {
  const path = call.path.slice('/calendar/v3/'.length)
  for (const [verb, pattern, { method, run }] of routes) {
    const ids = verb === call.method ? pattern.exec(path)?.slice(1) : undefined
    if (!ids) continue
    const caller = checkAccess(state, call, method)
    checkQuery(call, method)
    return run(state, caller, call, ids.map(decodeURIComponent))
  }
  throw notFound()
}
