import type { Reply } from '../world.ts'
import { hasTrash } from './find-resource.ts'
import { refuse } from './refuse.ts'
import { type CalDav, type Collection, type Item, takeItem } from './state.ts'

/**
 * At Nextcloud `a.ics` becomes `a-deleted.ics` in the trash. Where that name is taken there, the event can not be deleted:
 * nextcloud/server#42582, python-caldav/caldav#371
 */
export function throwAway(
  server: CalDav,
  collection: Collection,
  name: string,
  item: Item,
  now: number,
): Reply {
  if (hasTrash(server)) {
    const trashName = deletedName(name)
    if (collection.trash.has(trashName))
      return refuse(
        server,
        403,
        'Forbidden',
        `A calendar object with URI ${trashName} already exists in calendar 23, therefore this object can't be moved into the trashbin`,
      )
    collection.trash.set(trashName, { ...item, deletedAt: Math.floor(now / 1000) })
  }
  takeItem(collection, name)
  return { status: 204 }
}

/**
 * Before an event is put whose UID is in the trash. Until Nextcloud 25.0.5 that is 400 (nextcloud/server#30096,
 * nextcloud/calendar#4412). Then what is there is deleted once more, which only gives it another name
 * (nextcloud/server#34375, of which #42582 comes), until it is deleted in earnest (nextcloud/server#61881).
 */
export function makeRoom(server: CalDav, collection: Collection, uid: string): Reply | null {
  if (!hasTrash(server)) return null
  const [name, item] = [...collection.trash].find(([, one]) => one.uid === uid) ?? []
  if (name === undefined || item === undefined) return null
  if (server.settings.trashBin === 'refuses')
    return refuse(
      server,
      400,
      'BadRequest',
      'Deleted calendar object with uid already exists in this calendar collection.',
    )
  collection.trash.delete(name)
  if (server.settings.trashBin === 'empties') {
    for (const [other, one] of [...collection.trash]) if (one.uid === uid) collection.trash.delete(other)
    return null
  }
  // It stays the oldest.
  collection.trash = new Map([[deletedName(name), item], ...collection.trash])
  return null
}

function deletedName(name: string): string {
  return name.replace(/(\.[^.]*)?$/, '-deleted$1')
}
