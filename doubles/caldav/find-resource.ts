import type { Call } from '../world.ts'
import type { Account, CalDav, Collection, Kind } from './state.ts'

export type Resource =
  | { readonly type: 'root' | 'principal' | 'home' }
  | { readonly type: 'collection' | 'trashed'; readonly collection: Collection }
  | { readonly type: 'item' | 'trashed item'; readonly collection: Collection; readonly name: string }
  | { readonly type: 'nothing' }

type Layout = {
  readonly root: string
  readonly principal: string
  readonly home: string
}

/** Below the world's base, each with a slash at the end. */
export function layoutOf(kind: Kind, account: Account): Layout {
  const user = encodeURIComponent(userOf(kind, account)).replaceAll('%40', '@')
  switch (kind) {
    // In a sub-path, as on shared hosts: docs.nextcloud.com/server/latest/user_manual/en/groupware/sync_osx.html
    case 'nextcloud': {
      const root = '/nextcloud/remote.php/dav/'
      return { root, principal: `${root}principals/users/${user}/`, home: `${root}calendars/${user}/` }
    }
    // Baïkal: sabre-io/Baikal#653
    case 'sabredav': {
      const root = '/baikal/html/dav.php/'
      return { root, principal: `${root}principals/${user}/`, home: `${root}calendars/${user}/` }
    }
    // pbek/QOwnNotes#1030
    case 'open-xchange':
      return { root: '/', principal: `/principals/users/${user}/`, home: '/caldav/' }
    // SOPE/SOGo: the principal is above its calendars
    case 'sogo': {
      const root = '/SOGo/dav/'
      return { root, principal: `${root}${user}/`, home: `${root}${user}/Calendar/` }
    }
    // cyrusimap/cyrus-imapd#2345
    case 'cyrus': {
      const root = '/dav/'
      return { root, principal: `${root}principals/user/${user}/`, home: `${root}calendars/user/${user}/` }
    }
    // emersion/go-webdav#61
    case 'icloud':
      return { root: '/', principal: `/${user}/principal/`, home: `/${user}/calendars/` }
  }
}

/** Whether users have names that are not addresses; at Nextcloud the address is good for a login, too. */
export function namesUsers(kind: Kind): boolean {
  return kind === 'nextcloud' || kind === 'sogo' || kind === 'cyrus'
}

/** The user's name in paths. */
export function userOf(kind: Kind, { email, number }: Account): string {
  if (kind === 'icloud') return number
  if (kind === 'open-xchange') return number.slice(-3)
  return namesUsers(kind) ? email.split('@')[0]! : email
}

export function findResource(server: CalDav, account: Account, path: string): Resource {
  const { root, principal, home } = layoutOf(server.settings.server, account)
  const asked = decode(path)
  const at = (place: string) => asked === decode(place) || `${asked}/` === decode(place)
  if (at(root)) return { type: 'root' }
  if (at(principal)) return { type: 'principal' }
  if (at(home)) return { type: 'home' }
  if (!asked.startsWith(decode(home))) return { type: 'nothing' }
  const [id = '', name = '', third = ''] = asked.slice(decode(home).length).split('/')
  if (id === 'trashbin' && hasTrash(server)) return findTrashed(account, name, third)
  const collection = account.collections.get(id)
  if (!collection) return { type: 'nothing' }
  if (name === '') return { type: 'collection', collection }
  return { type: 'item', collection, name }
}

function findTrashed(account: Account, folder: string, name: string): Resource {
  const trash = trashOf(account)
  if (folder === '') return { type: 'trashed', collection: trash }
  if (folder !== 'objects') return { type: 'nothing' }
  return name === ''
    ? { type: 'trashed', collection: trash }
    : { type: 'trashed item', collection: trash, name }
}

/** `<calendar>/trashbin/objects`, gathered: nextcloud/server#26083 */
function trashOf(account: Account): Collection {
  const items = [...account.collections.values()].flatMap(({ id, trash }) =>
    [...trash].map(([name, item]) => [`${id}-${name}`, item] as const),
  )
  return {
    id: 'trashbin',
    name: 'trashbin',
    type: 'trash',
    components: [],
    canWrite: false,
    awayStatus: null,
    deletedAt: null,
    items: new Map(items),
    trash: new Map(),
    changes: new Map(),
    revision: 0,
    oldestRevision: 0,
  }
}

export function hasTrash({ settings }: CalDav): boolean {
  return settings.server === 'nextcloud' && settings.trashBin !== 'off'
}

/** As answers name a path: all of it, since the world is not at the top of its host. */
export function hrefOf(call: Call, path: string): string {
  return new URL(call.base).pathname + path
}

export function pathOf(server: CalDav, account: Account, collection: Collection, name = ''): string {
  const { home } = layoutOf(server.settings.server, account)
  const folder = collection.type === 'trash' ? 'trashbin/objects' : encodeURIComponent(collection.id)
  return `${home}${folder}/${encodeURIComponent(name)}`
}

export function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
