import type { Call, Json, Reply } from '../world.ts'
import { etagOf, keyOf } from './event-json.ts'
import { hasDate, type Instance, occurrenceOn, singleOf } from './expand-series.ts'
import { accessDenied, itemNotFound, malformedId, Refusal } from './graph-reply.ts'
import { appliedHeaders, type Listing, shownEvent } from './list-events.ts'
import { isWellFormedId, partsOfOccurrence } from './make-ids.ts'
import { bodyOf } from './read-body.ts'
import { readQuery } from './read-query.ts'
import { calendarOf, deleteEvent } from './remove-event.ts'
import type { Account, Calendar, State } from './state.ts'
import { createEvent, patchEvent } from './write-event.ts'

/**
 * By either kind of id, in whichever calendar of the mailbox it is, whatever calendar the path names:
 * microsoftgraph/microsoft-graph-docs#391
 */
export function findEvent(account: Account, id: string): Instance {
  if (!isWellFormedId(id)) throw malformedId()
  const event = account.eventsById.get(id)
  if (event) {
    if (calendarOf(account, event).isGone) throw itemNotFound()
    return singleOf(event)
  }
  const parts = partsOfOccurrence(id)
  const series = parts && account.eventsById.get(parts.seriesId)
  const isThere = series && hasDate(series, parts!.date) && !calendarOf(account, series).isGone
  const instance = isThere ? occurrenceOn(series, parts!.date) : null
  if (!instance) throw itemNotFound()
  return instance
}

function needWrite(calendar: Calendar): void {
  if (!calendar.canEdit) throw accessDenied()
}

/** `If-Match` with another etag than the present one; microsoftgraph/msgraph-sdk-dotnet#1201 shows status and code. */
function needMatch(account: Account, instance: Instance, call: Call): void {
  const wanted = call.headers['if-match']
  if (wanted === undefined || wanted === '*' || wanted === etagOf(keyOf(account, instance))) return
  throw new Refusal(
    412,
    'ErrorIrresolvableConflict',
    'The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.',
  )
}

const context = ({ account }: Listing) =>
  `https://graph.microsoft.com/v1.0/$metadata#users('${account.id}')/events/$entity`

/** Answers with the zone in which the times were sent, unless another is preferred: learn.microsoft.com/graph/api/calendar-post-events */
export function makeEvent(state: State, listing: Listing, calendar: Calendar, call: Call): Reply {
  needWrite(calendar)
  const said = bodyOf(call)
  const event = createEvent(state, listing.account, calendar, said)
  const { prefer } = listing
  const told = {
    ...listing,
    prefer: prefer.isZoneSaid ? prefer : { ...prefer, zone: event.fields.start.zone },
  }
  return {
    status: 201,
    json: {
      '@odata.context': context(listing),
      ...shownEvent(told, { select: null, expand: null }, singleOf(event), 'events'),
    },
    headers: {
      ...appliedHeaders(prefer),
      Location: `${call.base}${call.path}/${prefer.isImmutable ? event.immutableId : event.id}`,
    },
  }
}

export function answerEvent(state: State, listing: Listing, id: string, call: Call): Reply {
  const { account } = listing
  const instance = findEvent(account, id)
  const tell = (json: Json): Reply => ({ status: 200, json, headers: appliedHeaders(listing.prefer) })
  switch (call.method) {
    case 'GET': {
      const query = readQuery(call.query)
      return tell({ '@odata.context': context(listing), ...shownEvent(listing, query, instance, 'events') })
    }
    case 'PATCH': {
      needWrite(calendarOf(account, instance.event))
      needMatch(account, instance, call)
      patchEvent(state, account, instance.event, instance.date, bodyOf(call))
      const after = findEvent(account, id)
      return tell({
        '@odata.context': context(listing),
        ...shownEvent(listing, { select: null, expand: null }, after, 'events'),
      })
    }
    case 'DELETE':
      needWrite(calendarOf(account, instance.event))
      needMatch(account, instance, call)
      deleteEvent(state, account, instance.event, instance.date)
      return { status: 204 }
    default:
      throw new Refusal(
        405,
        'Request_BadRequest',
        'Specified HTTP method is not allowed for the request target.',
      )
  }
}
