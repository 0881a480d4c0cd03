import type { Call, Json, Reply } from '../world.ts'
import { liveEvents } from './accounts.ts'
import { eventJson, idOf } from './event-json.ts'
import { type Instance, instancesIn, singleOf } from './expand-series.ts'
import { badRequest, Refusal } from './graph-reply.ts'
import { appliedHeaders, type Listing, readWindow } from './list-events.ts'
import type { State } from './state.ts'

/**
 * `calendarView/delta` as it is. learn.microsoft.com/graph/api/event-delta It has no `$select` and brings whole bodies. A series
 * with more occurrences than a page fills a longer page, whose next link brings the same forever:
 * microsoftgraph/msgraph-sdk-dotnet#3070, #3082; microsoftgraph/microsoft-graph-docs#7352. Its tokens are forgotten: 410
 * `SyncStateNotFound`, microsoftgraph/microsoft-graph-docs#2350, #2877
 */
type Cursor = {
  readonly kind: 'skip' | 'delta'
  readonly generation: number
  readonly fromMs: number
  readonly toMs: number
  /** Changes up to this one were returned. */
  readonly since: number
  /** Where the round began, returned at its end. */
  readonly upTo: number
  readonly at: number
  /** How often the same page was brought. */
  readonly again: number
}

const REFUSED = ['$orderby', '$filter', '$select', '$expand', '$search']

const write = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function read(token: string, kind: Cursor['kind'], generation: number): Cursor {
  let cursor: Cursor
  try {
    cursor = JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    throw badRequest(`The value '${token}' of parameter '$${kind}Token' is invalid.`, 'InvalidDeltaToken')
  }
  if (cursor.generation !== generation) {
    throw new Refusal(
      410,
      'SyncStateNotFound',
      `The sync state generation is not found; generation=${cursor.generation};[highest=${generation}][${generation}].`,
    )
  }
  return cursor
}

function cursorOf(call: Call, { account }: Listing): Cursor {
  const said = new Map([...call.query].map(([name, value]) => [name.toLowerCase(), value]))
  const [skip, delta] = [said.get('$skiptoken'), said.get('$deltatoken')]
  if (said.has('$top')) {
    throw badRequest(
      "The '$top' parameter is not supported with change tracking over the 'CalendarView' resource as page size cannot be guaranteed. Express page size preferences using the Prefer: odata.maxpagesize= header instead.",
      'ErrorInvalidUrlQuery',
    )
  }
  if (REFUSED.some((name) => said.has(name))) {
    throw badRequest(
      `The following parameters are not supported with change tracking over the 'CalendarView' resource: '${REFUSED.join(', ')}'.`,
      'ErrorInvalidUrlQuery',
    )
  }
  if (skip !== undefined) return read(skip, 'skip', account.generation)
  if (delta !== undefined) {
    const cursor = read(delta, 'delta', account.generation)
    return { ...cursor, upTo: account.sequence, at: 0, again: 0 }
  }
  const window = readWindow({
    startDateTime: said.get('startdatetime') ?? null,
    endDateTime: said.get('enddatetime') ?? null,
  })
  return {
    kind: 'skip',
    generation: account.generation,
    ...window,
    since: 0,
    upTo: account.sequence,
    at: 0,
    again: 0,
  }
}

/** One event, one series with its occurrences, or one that is gone. */
type Piece = { readonly items: Json[]; readonly isSeries: boolean }

function piecesOf(listing: Listing, cursor: Cursor): Piece[] {
  const { account, calendar, prefer } = listing
  const live = new Set(liveEvents(account, calendar))
  const changed = account.events.filter(({ version }) => version > cursor.since && version <= cursor.upTo)
  const removed = (id: string): Piece => ({
    items: [{ '@removed': { reason: 'deleted' }, id }],
    isSeries: false,
  })
  return changed.flatMap((event): Piece[] => {
    const instances = live.has(event) ? instancesIn(event, cursor.fromMs, cursor.toMs) : []
    if (instances.length === 0) {
      if (cursor.since === 0) return []
      const left = event.left.find((one) => one.calendar === calendar && one.version > cursor.since)
      if (left) return [removed(prefer.isImmutable ? event.immutableId : left.id)]
      // What changed outside of the window comes as removed too, though it never was in it.
      return event.calendar === calendar ? [removed(idOf(singleOf(event), prefer.isImmutable))] : []
    }
    const tell = (one: Instance) => ({
      '@odata.type': '#microsoft.graph.event',
      ...eventJson(account, one, prefer),
    })
    return event.recurrence
      ? [{ items: [tell(singleOf(event)), ...instances.map(tell)], isSeries: true }]
      : [{ items: instances.map(tell), isSeries: false }]
  })
}

export function viewDelta(state: State, listing: Listing, call: Call): Reply {
  const cursor = cursorOf(call, listing)
  const size = listing.prefer.maxPageSize ?? state.settings.deltaPageSize
  const pieces = piecesOf(listing, cursor)
  const value: Json[] = []
  let at = cursor.at
  while (at < pieces.length && value.length < size) {
    const piece = pieces[at]!
    value.push(...piece.items)
    if (piece.isSeries && piece.items.length - 1 > size) {
      return answer(listing, call, value, 'next', {
        ...cursor,
        kind: 'skip',
        at: cursor.at,
        again: cursor.again + 1,
      })
    }
    at += 1
  }
  if (at < pieces.length) return answer(listing, call, value, 'next', { ...cursor, kind: 'skip', at })
  return answer(listing, call, value, 'delta', {
    ...cursor,
    kind: 'delta',
    since: cursor.upTo,
    at: 0,
    again: 0,
  })
}

function answer(
  { prefer }: Listing,
  call: Call,
  value: Json[],
  link: 'next' | 'delta',
  cursor: Cursor,
): Reply {
  const name = link === 'next' ? '$skiptoken' : '$deltatoken'
  return {
    status: 200,
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(event)',
      [`@odata.${link}Link`]: `${call.base}${call.path}?${new URLSearchParams([[name, write(cursor)]])}`,
      value,
    },
    headers: appliedHeaders({ ...prefer, applied: [...prefer.applied, 'odata.track-changes'] }),
  }
}
