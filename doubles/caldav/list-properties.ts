import type { Call } from '../world.ts'
import { findResource, hasTrash, hrefOf, layoutOf, pathOf, type Resource } from './find-resource.ts'
import type { Account, CalDav, Collection, Item, Kind } from './state.ts'
import { APPLE, CAL, CS, DAV, el, GROUPDAV, href, NC, type Node } from './write-xml.ts'

export type Context = { readonly server: CalDav; readonly account: Account; readonly call: Call }

/** What a resource has, by name; what it has not is 404 in a multistatus. */
export function propertiesOf(context: Context, resource: Resource): Map<string, Node> {
  const common = [el(`${DAV}current-user-principal`, href(principalOf(context)))]
  return byName([...common, ...ownOf(context, resource)])
}

function ownOf(context: Context, resource: Resource): Node[] {
  const { account } = context
  const isSogo = context.server.settings.server === 'sogo'
  switch (resource.type) {
    case 'root':
    case 'home':
      return [
        el(`${DAV}resourcetype`, el(`${DAV}collection`)),
        el(`${DAV}owner`, href(principalOf(context))),
        privileges(['read', 'write', 'bind', 'unbind']),
      ]
    case 'principal':
      return [
        el(`${DAV}resourcetype`, el(`${DAV}principal`)),
        el(`${DAV}displayname`, account.email.split('@')[0]!),
        el(`${DAV}principal-URL`, href(principalOf(context))),
        el(`${CAL}calendar-home-set`, href(homeOf(context))),
        el(`${CAL}calendar-user-address-set`, href(`mailto:${account.email}`)),
        // SabreDAV and Nextcloud name it here, against RFC 6638 9.2: lib/CalDAV/Schedule/Plugin.php
        ...defaultNamedAt(context, 'principal'),
        ...['inbox', 'outbox'].map((id) =>
          el(
            `${CAL}schedule-${id}-URL`,
            href(`${homeOf(context)}${isSogo && id === 'outbox' ? 'personal' : id}/`),
          ),
        ),
      ]
    case 'collection':
    case 'trashed':
      return collectionProperties(context, resource.collection)
    case 'item':
    case 'trashed item': {
      const item = resource.collection.items.get(resource.name)
      return item ? itemProperties(context.server.settings.server, item) : []
    }
    default:
      return []
  }
}

/**
 * Elsewhere only `{caldav}calendar` without another kind is one: not boxes for scheduling, subscriptions
 * (linagora/esn-sabre#343), Nextcloud's trash and its calendars, which have a type of their own (nextcloud/server#26083).
 */
function typesOf(kind: Kind, { id, type, deletedAt, components }: Collection): string[] {
  if (deletedAt !== null) return [`${NC}deleted-calendar`]
  // Its own calendar is also its owner's outbox: SOGo/UI and SoObjects/Appointments (Inverse-inc/sogo).
  if (kind === 'sogo' && type === 'calendar')
    return [
      `${CAL}calendar`,
      ...components.map((name) => `${GROUPDAV}${name.toLowerCase()}-collection`),
      ...(id === 'personal' ? [`${CAL}schedule-outbox`] : []),
    ]
  const types = {
    calendar: `${CAL}calendar`,
    subscribed: `${CS}subscribed`,
    inbox: `${CAL}schedule-inbox`,
    outbox: `${CAL}schedule-outbox`,
    trash: `${NC}trash-bin`,
  }
  return [types[type]]
}

function collectionProperties(context: Context, collection: Collection): Node[] {
  const { server } = context
  const { settings } = server
  // SOGo's is a second ahead of its reports.
  const ahead = settings.isTokenAhead ? 1 : 0
  const token = tokenOf(settings.server, collection, collection.revision + ahead)
  const hasSync = collection.type === 'calendar' && collection.deletedAt === null
  return [
    ...(collection.type === 'inbox' ? defaultNamedAt(context, 'inbox') : []),
    el(
      `${DAV}resourcetype`,
      el(`${DAV}collection`),
      ...typesOf(settings.server, collection).map((name) => el(name)),
    ),
    el(`${DAV}displayname`, collection.name),
    el(`${DAV}owner`, href(principalOf(context))),
    el(`${APPLE}calendar-color`, '#0082C9FF'),
    privileges(privilegesOf(settings.server, collection)),
    ...(collection.components.length > 0
      ? [
          el(
            `${CAL}supported-calendar-component-set`,
            ...collection.components.map((name) => ({ ...el(`${CAL}comp`), attributes: { name } })),
          ),
        ]
      : []),
    ...(hasSync ? [el(`${CS}getctag`, token)] : []),
    ...(hasSync && settings.tokenRefusal !== null ? [el(`${DAV}sync-token`, token)] : []),
    el(
      `${DAV}supported-report-set`,
      ...[`${CAL}calendar-multiget`, `${CAL}calendar-query`]
        .concat(settings.tokenRefusal === null ? [] : [`${DAV}sync-collection`])
        .map((name) => el(`${DAV}supported-report`, el(`${DAV}report`, el(name)))),
    ),
    ...(collection.type === 'subscribed'
      ? [el(`${CS}source`, href('webcal://example.com/holidays.ics'))]
      : []),
    ...(collection.deletedAt === null ? [] : [el(`${NC}deleted-at`, isoOf(collection.deletedAt))]),
    ...(collection.type === 'trash' ? [el(`${NC}trash-bin-retention-duration`, '2592000')] : []),
  ]
}

/**
 * A calendar that is shared for reading, or made of birthdays, still has `write-properties` at Nextcloud: a color may be set.
 * nextcloud/server apps/dav/lib/CalDAV/Calendar.php (getACL)
 */
function privilegesOf(kind: Kind, { canWrite, type }: Collection): string[] {
  const reading = ['read', 'read-acl', 'read-current-user-privilege-set']
  if (type === 'inbox' || type === 'outbox') return reading
  if (canWrite)
    return [...reading, 'write', 'write-properties', 'write-content', 'bind', 'unbind', 'unlock', 'write-acl']
  return kind === 'nextcloud' ? [...reading, 'write-properties'] : reading
}

function itemProperties(kind: Kind, item: Item): Node[] {
  const component = /BEGIN:(VEVENT|VTODO|VJOURNAL)/.exec(item.text)?.[1]?.toLowerCase() ?? 'vevent'
  return [
    el(`${DAV}resourcetype`),
    el(`${DAV}getetag`, etagIn(kind, item)),
    el(`${DAV}getcontenttype`, `text/calendar; charset=utf-8; component=${component}`),
    el(`${DAV}getcontentlength`, String(Buffer.byteLength(item.text))),
    el(`${DAV}getlastmodified`, new Date(item.changedAt).toUTCString()),
    el(`${CAL}calendar-data`, item.text),
    ...(item.deletedAt === undefined ? [] : [el(`${NC}deleted-at`, String(item.deletedAt))]),
  ]
}

/** Open-Xchange sends a URL without quotes: pbek/QOwnNotes#1030 */
export function etagIn(kind: Kind, { etag }: Item): string {
  return kind === 'open-xchange' ? `http://www.open-xchange.com/etags/${etag}` : `"${etag}"`
}

/** sabre-io/dav lib/DAV/Sync/Plugin.php; each server has its own form, and its number is of the last change. */
export function tokenOf(kind: Kind, collection: Collection, revision = collection.revision): string {
  if (kind === 'icloud') return `FT=-@RU=7c0a8e0e-5c3f-4e1b-9d0c-3b0f0e9f1a11@S=${revision}`
  if (kind === 'open-xchange') return `0.${revision}`
  return `http://sabre.io/ns/sync/${revision}`
}

function principalOf({ server, account, call }: Context): string {
  return hrefOf(call, layoutOf(server.settings.server, account).principal)
}

function defaultNamedAt(context: Context, place: 'principal' | 'inbox'): Node[] {
  const { defaultAt } = context.server.settings
  if (defaultAt !== place) return []
  return [el(`${CAL}schedule-default-calendar-URL`, href(`${homeOf(context)}work/`))]
}

/** At iCloud another host than the one that was asked, with its port: emersion/go-webdav#61, smarcet/CalDAVClient#8 */
function homeOf({ server, account, call }: Context): string {
  const home = hrefOf(call, layoutOf(server.settings.server, account).home)
  if (server.settings.server !== 'icloud') return home
  const url = new URL(call.base)
  url.hostname = server.settings.partition
  return `${url.origin}${home}`
}

/** A resource and, one deeper, what is in it, each with its path. */
export function listed(
  { server, account, call }: Context,
  resource: Resource,
  isDeep: boolean,
): [string, Resource][] {
  const path = call.path.endsWith('/') || resource.type.endsWith('item') ? call.path : `${call.path}/`
  const all: [string, Resource][] = [[path, resource]]
  if (!isDeep) return all
  if (resource.type === 'home') {
    for (const collection of account.collections.values())
      if (collection.awayStatus === null && isListed(server, collection))
        all.push([pathOf(server, account, collection), { type: 'collection', collection }])
    if (hasTrash(server)) {
      const trashPath = `${layoutOf(server.settings.server, account).home}trashbin/`
      all.push([trashPath, findResource(server, account, trashPath)])
    }
  }
  if (resource.type === 'collection' || resource.type === 'trashed')
    for (const name of resource.collection.items.keys())
      all.push([
        pathOf(server, account, resource.collection, name),
        {
          type: resource.type === 'trashed' ? 'trashed item' : 'item',
          collection: resource.collection,
          name,
        },
      ])
  return all
}

/** SOGo has no boxes beside its calendars, and does not mark subscriptions. */
function isListed({ settings }: CalDav, { type }: Collection): boolean {
  return settings.server !== 'sogo' || type === 'calendar'
}

function privileges(names: readonly string[]): Node {
  return el(
    `${DAV}current-user-privilege-set`,
    ...names.map((name) => el(`${DAV}privilege`, el(`${DAV}${name}`))),
  )
}

function isoOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`
}

function byName(nodes: readonly Node[]): Map<string, Node> {
  return new Map(nodes.map((node) => [node.name, node]))
}
