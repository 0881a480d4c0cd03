import { createHash, randomBytes } from 'node:crypto'
import type { Frame } from '../world.ts'
import { uidOf } from '../write-icalendar.ts'

export type Kind = 'nextcloud' | 'sabredav' | 'open-xchange' | 'icloud' | 'sogo' | 'cyrus'

/** What `PUT /control` changes. */
export type Settings = {
  /** Which server this is: its paths, forms and refusals. Its accounts and calendars stay. */
  server: Kind
  /** Of every account; setting it lets accounts in again that ended. */
  password: string
  /** The ways to sign in that a 401 names, in this order; other names than Basic and Digest let nobody in. */
  auth: readonly string[]
  /** One challenge of Digest for each. */
  digestAlgorithms: readonly ('MD5' | 'SHA-256' | 'SHA-512-256')[]
  /** After so many uses a nonce is stale; `null` for never. */
  nonceUses: number | null
  /** Of multistatus answers instead of the server's own; empty for none. */
  contentType: string | null
  /** Of events that are got, instead of the server's own; empty for none. */
  objectContentType: string | null
  /** The name of the machine that iCloud sends its clients to. */
  partition: string
  /** Everything is 503. */
  isInMaintenance: boolean
  /** How many calls with the right password are still refused with 401. */
  refuseNext: number
  /** How a sync token that is known no more is refused; `null` where there are no sync tokens. */
  tokenRefusal: 403 | 409 | 507 | null
  /** What a sync token that is not known gets instead of a refusal; `everything` comes without deletions. */
  unknownToken: 'refusal' | 'everything' | 'nothing'
  /** Whether the property has the token of the next change already. */
  isTokenAhead: boolean
  /** What names the default calendar, which is `work`; `null` for nothing. */
  defaultAt: 'principal' | 'inbox' | null
  /** The status of a whole multiget that names a missing event; `null` if each missing event gets a status of its own. */
  multigetMissing: 404 | null
  /** Members in one answer to a sync. */
  syncLimit: number | null
  /** Whether a first sync has what is in the trash, too. */
  syncsTrash: boolean
  /** Whether a PUT returns the new ETag. */
  etagAfterPut: boolean
  /** Whether the server changes what is put, and then returns no ETag. */
  rewritesOnPut: boolean
  /** The ETag of a GET, as a compressing proxy makes it. Reports have the stored one. */
  etagAtGet: 'as kept' | 'weak' | 'with -gzip'
  /**
   * Of Nextcloud. `refuses`: what is in it can not be put again. `fills`: it can, until a third deletion has no place any
   * more. `empties`: what is put again leaves it.
   */
  trashBin: 'off' | 'refuses' | 'fills' | 'empties'
}

export type Item = { text: string; uid: string; etag: string; changedAt: number; deletedAt?: number }

export type Collection = {
  id: string
  name: string
  type: 'calendar' | 'subscribed' | 'inbox' | 'outbox' | 'trash'
  components: readonly string[]
  canWrite: boolean
  /** The status of everything there, while it is away. */
  awayStatus: 404 | 410 | null
  /** In Nextcloud's trash, in seconds. */
  deletedAt: number | null
  /** By name, such as `a.ics`. */
  items: Map<string, Item>
  trash: Map<string, Item>
  /** The last change of each name that there ever was. */
  changes: Map<string, { revision: number; isGone: boolean }>
  revision: number
  /** Tokens before that are known no more. */
  oldestRevision: number
}

export type Account = {
  email: string
  /** As iCloud numbers its users. */
  number: string
  hasEnded: boolean
  collections: Map<string, Collection>
}

export type CalDav = {
  readonly frame: Frame
  settings: Settings
  readonly accounts: Map<string, Account>
  /** The last count that each nonce of Digest was used with. */
  readonly nonces: Map<string, number>
}

export function holdServer(frame: Frame): CalDav {
  return {
    frame,
    settings: {
      server: 'nextcloud',
      password: 'double-password_1',
      auth: ['Basic'],
      digestAlgorithms: ['MD5'],
      nonceUses: null,
      contentType: null,
      objectContentType: null,
      partition: 'localhost',
      isInMaintenance: false,
      refuseNext: 0,
      tokenRefusal: 403,
      unknownToken: 'refusal',
      isTokenAhead: false,
      defaultAt: null,
      multigetMissing: null,
      syncLimit: null,
      syncsTrash: false,
      etagAfterPut: true,
      rewritesOnPut: false,
      etagAtGet: 'as kept',
      trashBin: 'fills',
    },
    accounts: new Map(),
    nonces: new Map(),
  }
}

/** With calendars as they are found in one home: of several kinds, not all for events, not all to be written. */
export function accountOf(server: CalDav, email: string): Account {
  const known = server.accounts.get(email)
  if (known) return known
  const account: Account = {
    email,
    number: String(randomBytes(5).readUIntBE(0, 5)),
    hasEnded: false,
    collections: new Map(),
  }
  server.accounts.set(email, account)
  const events = ['VEVENT']
  for (const collection of [
    { id: 'inbox', name: 'Inbox', type: 'inbox', components: events },
    { id: 'outbox', name: 'Outbox', type: 'outbox', components: events },
    { id: 'tasks', name: 'Tasks', components: ['VTODO'] },
    { id: 'personal', name: 'Personal', components: ['VEVENT', 'VTODO'] },
    { id: 'work', name: 'Work', components: events },
    { id: 'team_shared_by_colleague', name: 'Team (colleague)', components: events, canWrite: false },
    { id: 'contact_birthdays', name: 'Contact birthdays', components: events, canWrite: false },
    { id: 'holidays', name: 'Holidays', type: 'subscribed', components: events, canWrite: false },
  ] as const)
    addCollection(account, collection)
  return account
}

export function addCollection(account: Account, given: Partial<Collection> & { id: string }): Collection {
  const collection: Collection = {
    name: given.id,
    type: 'calendar',
    components: ['VEVENT'],
    canWrite: true,
    awayStatus: null,
    deletedAt: null,
    items: new Map(),
    trash: new Map(),
    changes: new Map(),
    revision: 1,
    oldestRevision: 0,
    ...given,
  }
  account.collections.set(collection.id, collection)
  return collection
}

export function putItem(collection: Collection, name: string, text: string, now: number): Item {
  const crlf = text.replace(/\r?\n/g, '\r\n')
  const item = { text: crlf, uid: uidOf(crlf), etag: etagOf(crlf), changedAt: now }
  collection.items.set(name, item)
  collection.changes.set(name, { revision: ++collection.revision, isGone: false })
  return item
}

/** As one that was removed and made again under its old address: it is empty and counts from the start, or goes on counting. */
export function remake(collection: Collection, goesOn: boolean): void {
  collection.items.clear()
  collection.changes.clear()
  collection.revision = goesOn ? collection.revision + 1 : 1
  collection.oldestRevision = goesOn ? collection.revision : 0
}

export function takeItem(collection: Collection, name: string): void {
  collection.items.delete(name)
  collection.changes.set(name, { revision: ++collection.revision, isGone: true })
}

function etagOf(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
