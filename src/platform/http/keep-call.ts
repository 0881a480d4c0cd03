import { waitUntil } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import type { CalledKey } from '../auth/known-keys.ts'
import { noteAnswered, takeKept } from '../limits/answered-calls.ts'
import type { CallNote, RefusalNote } from '../limits/call-note.ts'
import { keyCounterOf } from '../limits/key-counter.ts'
import type { Tally } from '../log/tally.ts'
import type { Answer } from './answer.ts'
import { DRY_RUN } from './dry-run.ts'
import type { Route } from './route.ts'

/** The next call of the key takes notes along; after this time they are stored without one. */
const PATIENCE_MS = 1_000

/** Fields that every endpoint may have. */
const COMMON = ['body', DRY_RUN, 'Idempotency-Key', 'X-Org-Id', 'X-Service-Mode', 'X-User-Id']
/** Callers choose these names. */
const FREE = new Set(['metadata'])

/**
 * Notes a call of a key in the key's own object, while nobody waits for it: along with the next call, or once it is
 * answered. What is noted when an isolate ends is lost, as a line of a log may be.
 */
export function keepCall(env: Env & { readonly tally: Tally }, note: CallNote): void {
  const { apiKey, organizationId } = env.tally
  // A network that is limited for invalid keys is not the key's matter.
  if (apiKey === null || (note.status === 429 && organizationId === null)) return
  const now = Date.now()
  if (noteAnswered(apiKey.hash, note, now, now + 2 * PATIENCE_MS)) waitUntil(keepLater(env, apiKey))
}

async function keepLater(env: Env, { hash, shard }: CalledKey): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  const notes = takeKept(hash)
  if (notes.length === 0) return
  try {
    await keyCounterOf(env, hash).keep(hash, shard, notes)
  } catch {
    console.error(JSON.stringify({ cause: 'calls could not be noted', calls: notes.length }))
  }
}

/** Why a call was refused, in our own words alone; null where it was not. */
export function refusalIn(route: Route, { status, body }: Answer): RefusalNote | null {
  if (status < 400 || typeof body !== 'object' || body === null || !('error' in body)) return null
  const {
    code,
    message,
    details = {},
  } = body.error as {
    readonly code: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
  const isInvalid = code === 'validation_error'
  // Providers may repeat what somebody typed; the sentence about fields names a field as it was sent.
  const isOurs = !isInvalid && code !== 'bad_gateway' && !message.includes('@')
  const { code: kind, window, limit } = details
  const reason = [kind, window, limit].find((one) => typeof one === 'string')
  return {
    code,
    message: isOurs ? message : null,
    fields: isInvalid ? fieldsOf(route, Object.keys(details)) : [],
    reason: (reason as string | undefined) ?? null,
  }
}

function fieldsOf({ request }: Route, paths: readonly string[]): string[] {
  const known = new Set([
    ...COMMON,
    ...[request.params, request.query, request.headers, request.body].flatMap((one) =>
      Object.keys(one?.shape ?? {}),
    ),
  ])
  const named = paths.map((path) => {
    const [first = '', ...rest] = path.split('.')
    if (!known.has(first)) return '*'
    if (FREE.has(first) || !rest.every((part) => /^[a-z0-9_]{1,40}$/.test(part))) return first
    return path
  })
  return [...new Set(named)].slice(0, 20)
}
