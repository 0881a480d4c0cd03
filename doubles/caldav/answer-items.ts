import type { Reply } from '../world.ts'
import { uidOf } from '../write-icalendar.ts'
import { hrefOf, pathOf } from './find-resource.ts'
import { type Context, etagIn } from './list-properties.ts'
import { refuse, refuseNothing, refusePrivilege } from './refuse.ts'
import { type CalDav, type Collection, type Item, putItem } from './state.ts'
import { makeRoom, throwAway } from './throw-away.ts'
import { CAL, DAV, el } from './write-xml.ts'

/** GET, PUT and DELETE of one event. */
export function answerItem(context: Context, collection: Collection, name: string): Reply {
  const { call, server } = context
  const item = collection.items.get(name)
  switch (call.method) {
    case 'GET':
    case 'HEAD':
      return item ? told(context, item) : refuseNothing(server, call.path)
    case 'PUT':
      return put(context, collection, name, item)
    case 'DELETE':
      if (!item) return refuseNothing(server, call.path)
      if (!collection.canWrite) return refusePrivilege(server, hrefOf(call, call.path), 'unbind')
      if (!isExpected(context, item)) return refuseExpectation(server, 'If-Match')
      return throwAway(server, collection, name, item, call.now)
    default:
      return refuse(server, 405, 'MethodNotAllowed', `The method ${call.method} is not allowed`)
  }
}

function told({ server }: Context, item: Item): Reply {
  const { server: kind, objectContentType, etagAtGet } = server.settings
  const type = objectContentType ?? (kind === 'icloud' ? 'text/plain' : 'text/calendar; charset=utf-8')
  const etag = etagIn(kind, item)
  // nginx packs and says W/ (koreader/koreader#15707), Apache adds -gzip (super-productivity/super-productivity#9154); the
  // server behind it knows neither, and If-Match takes no weak one (RFC 9110 13.1.1).
  const tags = { 'as kept': etag, weak: `W/${etag}`, 'with -gzip': etag.replace(/"$/, '-gzip"') }
  return {
    status: 200,
    body: item.text,
    headers: { ...(type && { 'Content-Type': type }), ETag: tags[etagAtGet] },
  }
}

function put(context: Context, collection: Collection, name: string, before: Item | undefined): Reply {
  const { call, server } = context
  const { settings } = server
  if (!collection.canWrite || collection.type !== 'calendar' || collection.deletedAt !== null)
    return refusePrivilege(server, hrefOf(call, call.path), before ? 'write-content' : 'bind')
  if (call.headers['if-none-match'] === '*' && before) return refuseExpectation(server, 'If-None-Match')
  if (!isExpected(context, before)) return refuseExpectation(server, 'If-Match')
  if (!/^BEGIN:VCALENDAR/.test(call.body.trim()))
    return refuse(
      server,
      415,
      'UnsupportedMediaType',
      'This resource only supports valid iCalendar 2.0 data.',
    )
  if (!collection.components.some((component) => call.body.includes(`BEGIN:${component}`)))
    return refuse(
      server,
      403,
      'Forbidden',
      `iCalendar objects must at least have a component of type ${collection.components.join(', ')}`,
      el(`${CAL}supported-calendar-component`),
    )
  const uid = uidOf(call.body)
  const taken = whereUidIs(context, collection, uid).find(
    ([of, other]) => of !== collection || other !== name,
  )
  if (taken) return refuseUid(context, taken[0], taken[1], uid)
  const refusal = before ? null : makeRoom(server, collection, uid)
  if (refusal) return refusal
  const text = settings.rewritesOnPut
    ? call.body.replace(/END:VEVENT/g, 'X-SERVER-ADDED:1\r\nEND:VEVENT')
    : call.body
  const item = putItem(collection, name, text, call.now)
  // RFC 4791 5.3.4: none where what was put is not what is kept. sabre-io/dav#547, cyrusimap/cyrus-imapd#2456, tsdav#125
  const hasEtag = settings.etagAfterPut && !settings.rewritesOnPut
  const etag = etagIn(settings.server, item)
  return {
    status: before ? 204 : 201,
    headers: hasEtag ? { ETag: etag, ...(settings.server === 'nextcloud' && { 'OC-ETag': etag }) } : {},
  }
}

/** Cyrus looks in all calendars of the account (cyrusimap/cyrus-imapd#2345), others in this one. */
function whereUidIs(
  { server, account }: Context,
  collection: Collection,
  uid: string,
): [Collection, string][] {
  const looked = server.settings.server === 'cyrus' ? [...account.collections.values()] : [collection]
  return looked.flatMap((each) =>
    [...each.items].flatMap(([name, item]): [Collection, string][] =>
      item.uid === uid ? [[each, name]] : [],
    ),
  )
}

/**
 * Nextcloud says 400 and nothing that a program could read, SOGo 409 and a sentence, Cyrus RFC 6638 3.2.4.1
 * (cyrusimap/cyrus-imapd#2859), others RFC 4791 5.3.2.1. SabreDAV does not look.
 */
function refuseUid(
  { server, account, call }: Context,
  collection: Collection,
  name: string,
  uid: string,
): Reply {
  const { server: kind } = server.settings
  if (kind === 'sogo')
    return {
      status: 409,
      body: `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV">Event UID already in use. (${uid})</D:error>`,
      headers: { 'Content-Type': 'application/xml; charset="utf-8"' },
    }
  if (kind === 'nextcloud')
    return refuse(
      server,
      400,
      'BadRequest',
      'Calendar object with uid already exists in this calendar collection.',
    )
  const url = hrefOf(call, pathOf(server, account, collection, name))
  return refuse(
    server,
    kind === 'icloud' ? 412 : 403,
    'Forbidden',
    'The uid is taken',
    el(
      `${CAL}${kind === 'cyrus' ? 'unique-scheduling-object-resource' : 'no-uid-conflict'}`,
      el(`${DAV}href`, url),
    ),
  )
}

function isExpected({ server, call }: Context, item: Item | undefined): boolean {
  const expected = call.headers['if-match']
  if (expected === undefined) return true
  // SOGo compares over an event that is there, and takes any condition where none is.
  if (!item) return server.settings.server === 'sogo'
  return expected
    .split(',')
    .some((one) => one.trim() === '*' || one.trim() === etagIn(server.settings.server, item))
}

function refuseExpectation(server: CalDav, header: 'If-Match' | 'If-None-Match'): Reply {
  const message =
    header === 'If-Match'
      ? 'An If-Match header was specified, but none of the specified ETags matched.'
      : 'An If-None-Match header was specified, but the ETag matched (or * was specified).'
  return refuse(server, 412, 'PreconditionFailed', message)
}
