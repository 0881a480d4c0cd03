import { NO_CONTROL, put } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { uidOf, writeCalendar, writeEvent } from '../write-icalendar.ts'
import { layoutOf, pathOf } from './find-resource.ts'
import {
  type Account,
  accountOf,
  addCollection,
  type CalDav,
  type Collection,
  putItem,
  remake,
  takeItem,
} from './state.ts'

/** What a test does and sees; `?as=<email>` chooses the account. */
export function controlCaldav(server: CalDav, call: Call): Reply {
  const account = accountOf(server, call.query.get('as') ?? 'owner@example.com')
  const json: Json = call.body ? JSON.parse(call.body) : {}
  const [, thing, id, verb] =
    /^\/(events|calendars)\/([^/]+)(\/move|\/restore|\/remake)?$/.exec(call.path) ?? []
  if (thing === 'calendars') return controlCalendar(account, id!, verb, call, json)
  if (thing === 'events') return controlEvent(account, decodeURIComponent(id!), verb, call, json)
  switch (`${call.method} ${call.path}`) {
    case 'GET ':
      return { status: 200, json: shown(server, account, call) }
    case 'PUT ':
      return putSettings(server, json)
    case 'POST /calendars': {
      const made = addCollection(account, { id: slug(json.name), ...json } as Collection)
      return { status: 201, json: { id: made.id } }
    }
    case 'POST /events':
      return postEvents(account, call, json)
    // Passwords are refused until `PUT /control {password}`: app passwords end of themselves, too (nextcloud/server#20702).
    case 'POST /end':
      account.hasEnded = true
      return { status: 204 }
    case 'POST /expire':
      return { status: 204 }
    case 'POST /forget':
      for (const collection of account.collections.values()) collection.oldestRevision = ++collection.revision
      return { status: 204 }
    // All tags are others, of events that stayed the same: after a restored backup.
    case 'POST /retag':
      for (const { items } of account.collections.values())
        for (const item of items.values())
          item.etag = `${item.etag.slice(0, 24)}${String(call.now).slice(-8)}`
      return { status: 204 }
    default:
      return NO_CONTROL
  }
}

function postEvents(account: Account, call: Call, json: Json): Reply {
  const collection = account.collections.get(json.calendar ?? 'personal')
  if (!collection) return { status: 404, json: { error: 'There is no such calendar.' } }
  const ids = (json.events as (string | Json)[]).map((event) => {
    const text = asCalendar(event, call.now)
    const name = `${uidOf(text)}.ics`
    putItem(collection, name, text, call.now)
    return name
  })
  return { status: 201, json: { ids } }
}

/**
 * `DELETE {status: 404 | 410}` lets it go away, `{isInTrash: true}` into Nextcloud's trash; `/restore` brings it back. `/remake
 * {goesOn?: boolean}` replaces it by an empty one.
 */
function controlCalendar(
  account: Account,
  id: string,
  verb: string | undefined,
  call: Call,
  json: Json,
): Reply {
  const collection = account.collections.get(decodeURIComponent(id))
  if (!collection) return { status: 404, json: { error: 'There is no such calendar.' } }
  if (verb === '/remake') {
    remake(collection, json.goesOn ?? false)
    return { status: 204 }
  }
  const isBack = verb === '/restore'
  collection.awayStatus = isBack || json.isInTrash ? null : (json.status ?? 404)
  collection.deletedAt = !isBack && json.isInTrash ? Math.floor(call.now / 1000) : null
  return { status: 204 }
}

/** Ids are the names of the events, such as `a.ics`. */
function controlEvent(account: Account, id: string, verb: string | undefined, call: Call, json: Json): Reply {
  const from = [...account.collections.values()].find(({ items }) => items.has(id))
  if (!from) return { status: 404, json: { error: 'There is no such event.' } }
  const { text, uid } = from.items.get(id)!
  if (verb === '/move') {
    const to = account.collections.get(json.calendar)
    if (!to) return { status: 404, json: { error: 'There is no such calendar.' } }
    takeItem(from, id)
    putItem(to, id, text, call.now)
  } else if (call.method === 'DELETE') takeItem(from, id)
  else putItem(from, id, json.text ?? asCalendar({ uid, ...json }, call.now), call.now)
  return { status: 204 }
}

function shown(server: CalDav, account: Account, call: Call): Json {
  const { server: kind } = server.settings
  const { root, home } = layoutOf(kind, account)
  return {
    username: account.email,
    password: server.settings.password,
    url: `${call.base}${root}`,
    home: `${call.base}${home}`,
    mails: [],
    grants: [{ has_ended: account.hasEnded }],
    calendars: [...account.collections.values()].map((collection) => ({
      id: collection.id,
      name: collection.name,
      type: collection.type,
      can_write: collection.canWrite,
      away_status: collection.awayStatus,
      url: `${call.base}${pathOf(server, account, collection)}`,
    })),
    events: [...account.collections.values()].flatMap(({ id: calendar, items, trash }) => [
      ...[...items].map(([id, item]) => ({ id, calendar, ...item, is_deleted: false })),
      ...[...trash].map(([id, item]) => ({ id, calendar, ...item, is_deleted: true })),
    ]),
    settings: server.settings,
  }
}

function putSettings(server: CalDav, json: Json): Reply {
  if (json.password !== undefined) for (const account of server.accounts.values()) account.hasEnded = false
  return put(server.settings, json)
}

function asCalendar(event: string | Json, now: number): string {
  if (typeof event === 'string' && event.startsWith('BEGIN:VCALENDAR')) return event
  return writeCalendar([writeEvent(event, now)])
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
