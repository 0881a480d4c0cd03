import type { Json } from '../world.ts'
import { hash, makeToken } from './make-ids.ts'
import { invalid, refuse } from './refuse.ts'
import type { Cursor, State } from './state.ts'

/** What a list is about, and with which settings, so that its tokens are used for nothing else. */
export type ListOf = {
  readonly about: string
  /** Of the whole query but the size of pages. */
  readonly settings: string
  readonly pageSize: number
}

/**
 * The first page of what was found. Only the last one has what ends a list, such as `nextSyncToken`; pages before it may
 * hold less than was asked for, even nothing: developers.google.com/workspace/calendar/api/v3/reference/events/list.
 */
export function firstPage(state: State, list: ListOf, items: readonly Json[], end: Json): Json {
  const page = {
    about: list.about,
    settings: list.settings,
    items,
    end,
    emptyLeft: state.settings.emptyPages,
  }
  return cutPage(state, list, page)
}

/** The same query goes on with its `pageToken`: developers.google.com/workspace/calendar/api/guides/sync. */
export function nextPage(state: State, list: ListOf, token: string): Json {
  const page = state.pages.get(token)
  if (!page || page.about !== list.about || page.settings !== list.settings) {
    throw invalid('Invalid page token value.', 'pageToken')
  }
  return cutPage(state, list, page)
}

type Left = { about: string; settings: string; items: readonly Json[]; end: Json; emptyLeft: number }

function cutPage(state: State, list: ListOf, page: Left): Json {
  const most = Math.min(list.pageSize, state.settings.pageSize ?? list.pageSize)
  const size = page.emptyLeft > 0 ? 0 : most
  const items = page.items.slice(0, size)
  const rest = page.items.slice(size)
  if (!rest.length && page.emptyLeft <= 0) return { ...page.end, items }
  const token = makeToken('CiA', 30)
  state.pages.set(token, { ...page, items: rest, emptyLeft: page.emptyLeft - 1 })
  return { nextPageToken: token, items }
}

/** The same settings of a query give the same text; a few do not matter to what is found. */
export function settingsOf(query: URLSearchParams, without: readonly string[]): string {
  const left = [...query].filter(([name]) => !without.includes(name))
  return JSON.stringify(left.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

type CursorOf = Omit<Cursor, 'madeAt'>

/** Signs as Google's tokens have them; the same for a list that did not change, unless the world is set otherwise. */
export function makeCursor(state: State, cursor: CursorOf, now: number): string {
  const salt = state.settings.hasFreshSyncTokens ? makeToken('', 9) : ''
  const text = JSON.stringify([cursor, state.forgotten, salt])
  const token = `CP${hash(text).slice(0, 24)}GAU=`
  if (!state.cursors.has(token)) state.cursors.set(token, { ...cursor, madeAt: now })
  return token
}

/**
 * How far a list was read. An invalid token gets 400 (kewisch/gdata-provider, src: «Invalid sync token value.»), a forgotten one
 * 410: developers.google.com/workspace/calendar/api/guides/errors#410_gone.
 */
export function readCursor(
  state: State,
  token: string,
  about: string,
  settings: string,
  epoch: number,
): number {
  if (!/^CP[\w-]{24}GAU=$/.test(token)) throw invalid('Invalid sync token value.', 'syncToken')
  const cursor = state.cursors.get(token)
  if (!cursor || cursor.about !== about || cursor.epoch !== epoch) {
    throw refuse(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.', {
      domain: 'calendar',
      location: 'syncToken',
    })
  }
  // «All other query parameters should be the same as for the initial synchronization»: the rest is undefined.
  if (cursor.settings !== settings) {
    throw invalid(
      'Sync token cannot be used with other query parameters than those it was made with.',
      'syncToken',
    )
  }
  return cursor.version
}
