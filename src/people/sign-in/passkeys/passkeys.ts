import type { Env } from '../../../env.ts'
import { isTokenFor, tokenFor } from '../../../platform/auth/secret.ts'
import {
  type Expected,
  namedIn,
  verifyAssertion,
  verifyRegistration,
} from '../../../platform/auth/web-authn.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import { newIdIn } from '../../../platform/db/ids.ts'
import { inShard } from '../../../platform/db/shards.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { type Changing, changeAndNotify } from '../change-and-notify.ts'
import type { Person } from '../person.ts'
import * as queries from './queries.ts'

export type { PasskeyRow } from './queries.ts'

/** All of them are in the directory. */
function directory(env: Env): Db {
  return openDb(inShard(env, 0), 'decide')
}

/** The host that passkeys belong to. Null when it is not a host name, which browsers do not accept. */
export function partyOf({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): Omit<Expected, 'challenge'> | null {
  const { hostname, origin, protocol } = new URL(PUBLIC_URL)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return isName && (protocol === 'https:' || isLocal) ? { rpId: hostname, origin } : null
}

/** What an authenticator calls a person: always the same, and nothing that names them. */
export function userHandleOf(env: Env, person: Person): Promise<string> {
  return tokenFor(env.ENCRYPTION_KEY, handledAs(person))
}

function handledAs({ email, memberId }: Person): string {
  return `passkey-user/${memberId ?? `@${email}`}`
}

/** By the handle that was kept with it, or where the secret was rotated while it was made, by one of before. */
async function isOf(env: Env, passkey: queries.PasskeyRow, handle: string): Promise<boolean> {
  return handle === passkey.userHandle || (await isTokenFor(env.ENCRYPTION_KEY, handledAs(passkey), handle))
}

/** Those that a person looks at and removes, which are more than prove who they are. */
export function passkeysSeenBy(env: Env, person: Person): Promise<queries.PasskeyRow[]> {
  return queries.listSeenPasskeys(directory(env), person)
}

export function passkeysOf(env: Env, person: Person): Promise<queries.PasskeyRow[]> {
  return queries.listPasskeys(directory(env), person)
}

/** Keeps the passkey that a browser just made. False where it proves nothing, is known, or is one too many. */
export async function addPasskey(
  env: Env,
  by: Changing,
  made: { readonly answer: string; readonly challenge: string; readonly name: string },
): Promise<boolean> {
  const { email, memberId } = by.person
  const party = partyOf(env)
  const credential = party && (await verifyRegistration(made.answer, { ...party, challenge: made.challenge }))
  if (!credential) return false
  const userHandle = await userHandleOf(env, { email, memberId })
  const row = { ...credential, email, memberId, userHandle, name: made.name, usedAt: null, createdAt: by.now }
  const add = (db: Db) => queries.insertPasskey(db, { id: newIdIn(0), ...row })
  return changeAndNotify(env, by, { what: 'passkeyAdded', name: made.name }, add, 'member.passkey_added')
}

type Shown = { readonly passkey: queries.PasskeyRow | null; readonly isProven: boolean }

/** The passkey that an assertion names, and whether it proves it. */
export async function showPasskey(env: Env, answer: string, challenge: string, now: RealMs): Promise<Shown> {
  const party = partyOf(env)
  const named = namedIn(answer)
  const db = directory(env)
  const passkey = named && (await queries.findPasskey(db, named.credentialId))
  if (!party || !named || !passkey) return { passkey: null, isProven: false }
  const isTheirs = named.userHandle === null || (await isOf(env, passkey, named.userHandle))
  const counter = await verifyAssertion(answer, passkey.publicKey, { ...party, challenge })
  const isProven = isTheirs && counter !== null && (await queries.countPasskey(db, passkey.id, counter, now))
  return { passkey, isProven }
}

/** False where they have no such passkey. */
export async function removePasskey(env: Env, by: Changing, id: string): Promise<boolean> {
  const passkey = await queries.findOwnPasskey(directory(env), by.person, id)
  if (!passkey) return false
  const remove = (db: Db) => queries.deletePasskey(db, by.person, id)
  return changeAndNotify(
    env,
    by,
    { what: 'passkeyRemoved', name: passkey.name },
    remove,
    'member.passkey_removed',
  )
}
