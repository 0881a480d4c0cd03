import { put as change, DONE, NO_CONTROL, wrong } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { scheduleMany } from './fill-events.ts'
import { type Calendly, COLLECTIONS, type Collection, listed, put } from './state.ts'

/** What a test does as an owner at calendly.com. */
export function controlCalendly(calendly: Calendly, call: Call): Reply {
  const json: Json = call.body ? JSON.parse(call.body) : {}
  const [, collection, uuid] = /^\/objects\/([a-z_]+)\/([^/]+)$/.exec(call.path) ?? []
  if (uuid !== undefined) {
    if (!COLLECTIONS.includes(collection as Collection)) return wrong(`There is no ${collection}.`)
    return controlObject(calendly, call, collection as Collection, uuid, json)
  }
  switch (`${call.method} ${call.path}`) {
    case 'GET ':
      return { status: 200, json: shown(calendly) }
    case 'PUT ':
      return change(calendly.settings, json)
    case 'PUT /tokens':
      calendly.tokens = json as Calendly['tokens']
      return DONE
    case 'POST /schedule':
      scheduleMany(calendly, json.count)
      return DONE
    default:
      return NO_CONTROL
  }
}

function controlObject(
  calendly: Calendly,
  call: Call,
  collection: Collection,
  uuid: string,
  json: Json,
): Reply {
  const known = calendly.resources[collection].get(uuid)
  if (call.method === 'DELETE') calendly.resources[collection].delete(uuid)
  else put(calendly, collection, { ...known, ...json, uuid })
  return DONE
}

function shown(calendly: Calendly): Json {
  const resources = Object.fromEntries(COLLECTIONS.map((name) => [name, listed(calendly, name)]))
  return { settings: calendly.settings, tokens: calendly.tokens, ...resources }
}
