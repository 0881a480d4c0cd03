import { put as change, DONE, NO_CONTROL, wrong } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { bookMany } from './fill-bookings.ts'
import { type Cal, COLLECTIONS, type Collection, listed, put } from './state.ts'

/** What a test does as an owner at app.cal.com. */
export function controlCal(cal: Cal, call: Call): Reply {
  const json: Json = call.body ? JSON.parse(call.body) : {}
  const [, collection, id] = /^\/objects\/([a-z_]+)\/(\d+)$/.exec(call.path) ?? []
  if (id !== undefined) {
    if (!COLLECTIONS.includes(collection as Collection)) return wrong(`There is no ${collection}.`)
    return controlObject(cal, call, collection as Collection, Number(id), json)
  }
  switch (`${call.method} ${call.path}`) {
    case 'GET ': {
      const records = Object.fromEntries(COLLECTIONS.map((name) => [name, listed(cal, name)]))
      return { status: 200, json: { settings: cal.settings, keys: cal.keys, ...records } }
    }
    case 'PUT ':
      return change(cal.settings, json)
    case 'PUT /keys':
      cal.keys = json as Cal['keys']
      return DONE
    case 'POST /book':
      bookMany(cal, json.count)
      return DONE
    default:
      return NO_CONTROL
  }
}

function controlObject(cal: Cal, call: Call, collection: Collection, id: number, json: Json): Reply {
  if (call.method === 'DELETE') cal.records[collection].delete(id)
  else put(cal, collection, { ...cal.records[collection].get(id), ...json, id })
  return DONE
}
