import { NO_CONTROL } from '../controls.ts'
import type { Call, Json, OpenWorld, Reply } from '../world.ts'
import { uidOf, writeEvent } from '../write-icalendar.ts'
import { answerFeed } from './answer-feed.ts'
import { type KeptFeed, newFeed, secretPaths } from './state.ts'

/** A host of `.ics` feeds: two pretend accounts have one as Google writes them and one as Outlook does. */
export const openIcs: OpenWorld = (frame) => {
  const feeds = new Map<string, KeptFeed>()
  const now = frame.now()
  const hour = Math.ceil(now / 3_600_000) * 3_600_000
  const at = (hours: number) => new Date(hour + hours * 3_600_000).toISOString().slice(0, 19)
  for (const email of ['owner@example.com', 'colleague@example.com']) {
    const { google, outlook } = secretPaths(email)
    feeds.set(google, {
      ...newFeed(now),
      etag: 'none',
      hasLastModified: false,
      stampsEachAnswer: true,
      properties: {
        PRODID: '-//Google Inc//Google Calendar 70.9054//EN',
        METHOD: 'PUBLISH',
        'X-WR-CALNAME': email,
        'X-WR-TIMEZONE': 'Europe/Berlin',
      },
      events: [
        writeEvent({ summary: 'Dentist', start: `${at(26)}Z`, end: `${at(27)}Z` }, now),
        writeEvent({ summary: 'Away', start: at(96).slice(0, 10), end: at(120).slice(0, 10) }, now),
      ],
    })
    feeds.set(outlook, {
      ...newFeed(now),
      etag: 'none',
      properties: {
        PRODID: 'Microsoft Exchange Server 2010',
        METHOD: 'PUBLISH',
        'X-WR-CALNAME': 'Calendar',
        'X-PUBLISHED-TTL': 'PT1H',
      },
      // Zones by the names that Windows has, not all of them described: callumalpass/tasknotes#1913
      events: [
        writeEvent(
          {
            summary: 'Busy',
            start: at(50),
            end: at(51),
            timeZone: 'W. Europe Standard Time',
            'x-microsoft-cdo-busystatus': 'BUSY',
          },
          now,
        ),
      ],
    })
  }
  return { answer: (call) => answerFeed(feeds.get(call.path), call), control: (call) => control(feeds, call) }
}

function control(feeds: Map<string, KeptFeed>, call: Call): Reply {
  const json: Json = call.body ? JSON.parse(call.body) : {}
  const [, uid] = /^\/events\/([^/]+)$/.exec(call.path) ?? []
  if (uid !== undefined) return controlEvent(feeds, decodeURIComponent(uid), call, json)
  switch (`${call.method} ${call.path}`) {
    case 'GET ':
      return { status: 200, json: { feeds: [...feeds].map(([path, feed]) => shown(call.base, path, feed)) } }
    case 'PUT /feeds': {
      const { path, ...changes } = json
      const kept = feeds.get(path) ?? newFeed(call.now)
      const unknown = Object.keys(changes).filter((name) => !Object.hasOwn(kept, name))
      if (!path?.startsWith('/') || unknown.length > 0)
        return { status: 400, json: { error: `There is no ${unknown.join(', ') || 'such path'}.` } }
      feeds.set(path, { ...kept, changedAt: call.now, ...changes })
      return { status: 200, json: shown(call.base, path, feeds.get(path)!) }
    }
    case 'DELETE /feeds':
      return { status: feeds.delete(json.path) ? 204 : 404 }
    case 'POST /events': {
      const feed = feeds.get(json.calendar ?? [...feeds.keys()][0])
      if (!feed) return { status: 404, json: { error: 'There is no such feed.' } }
      const events = (json.events as (string | Json)[]).map((event) => writeEvent(event, call.now))
      feed.events.push(...events)
      feed.changedAt = call.now
      return { status: 201, json: { ids: events.map(uidOf) } }
    }
    default:
      return NO_CONTROL
  }
}

/** `PATCH /control/events/{uid}` takes the event's new form, DELETE takes it out. */
function controlEvent(feeds: Map<string, KeptFeed>, uid: string, { method, now }: Call, json: Json): Reply {
  for (const feed of feeds.values()) {
    const at = feed.events.findIndex((event) => uidOf(event) === uid)
    if (at < 0) continue
    if (method === 'DELETE') feed.events.splice(at, 1)
    else feed.events[at] = writeEvent(json.text ?? { uid, ...json }, now)
    feed.changedAt = now
    return { status: 204 }
  }
  return { status: 404, json: { error: 'There is no such event.' } }
}

function shown(base: string, path: string, feed: KeptFeed): Json {
  const url = `${base}${path}`
  return { path, url, webcal: url.replace(/^https?/, 'webcal'), ...feed }
}
