import { DAY_MS } from '../../core/time-units.ts'
import { dumpDays, type Env } from '../../env.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { nameOfShard } from '../../platform/db/shards.ts'
import { beginExport, continueExport, type Progress } from './export-lines.ts'
import { findNextOrganization } from './queries.ts'

/** Limit of pages per run: the rest of the day's dump follows in the next minutes. */
const PAGES_A_RUN = 500
/** An organization is written in parts of about so many characters, which make one file when they follow each other. */
const PART_CHARS = 4 * 1024 * 1024
const DELETED_AT_ONCE = 1_000

/** How far the dump of a day is. It lies beside the dump itself, so that what died goes on where that was last said. */
type State = {
  readonly day: string
  /** The last organization that is dumped as a whole. */
  readonly done: string
  readonly current: { readonly id: string; readonly part: number; readonly progress: Progress } | null
  readonly isOver: boolean
}

/** Continues the day's dump of a database, if a bucket is bound. Returns whether there was anything to do. */
export async function dumpOrganizations(env: Env, now: number, pages = PAGES_A_RUN): Promise<boolean> {
  const bucket = env.DUMPS
  if (!bucket) return false
  const place = `dumps/${nameOfShard(env)}`
  const day = new Date(now).toISOString().slice(0, 10)
  const kept = await bucket.get(`${place}/state.json`)
  const before = kept ? await kept.json<State>() : null
  if (before?.day === day && before.isOver) return false
  let state: State = before?.day === day ? before : { day, done: '', current: null, isOver: false }
  const db = openDb(env, 'read')
  for (let read = 0; read < pages && !state.isOver; ) {
    const next = await dumpPart(env, db, `${place}/${day}`, state, now, pages - read)
    read += next.read
    state = next.state
  }
  // Where another run was faster, its word stands.
  const onlyIf = kept ? { etagMatches: kept.etag } : { etagDoesNotMatch: '*' }
  await bucket.put(`${place}/state.json`, JSON.stringify(state), { onlyIf })
  if (state.isOver) await forgetOld(env, bucket, place, now)
  return true
}

/** Writes the next part of an organization, or says that there is no further one. */
async function dumpPart(env: Env, db: Db, place: string, state: State, now: number, pages: number) {
  const lines: string[] = []
  let current = state.current
  if (current === null) {
    const [found] = await findNextOrganization(db, state.done)
    const begun = found && (await beginExport(env, db, found.id, now))
    if (!found) return { read: 1, state: { ...state, isOver: true } }
    // Deleted since.
    if (!begun) return { read: 1, state: { ...state, done: found.id } }
    lines.push(begun.line)
    current = { id: found.id, part: 1, progress: begun.progress }
  }
  let { progress } = current
  let read = 0
  for (let chars = 0; progress.position !== null && read < pages && chars < PART_CHARS; read++) {
    const told = await continueExport(db, current.id, progress)
    progress = told.progress
    lines.push(...told.texts)
    chars += told.texts.reduce((sum, text) => sum + text.length, 0)
  }
  const part = String(current.part).padStart(5, '0')
  if (lines.length > 0) await env.DUMPS!.put(`${place}/${current.id}/${part}.ndjson`, `${lines.join('\n')}\n`)
  const isWhole = progress.position === null
  const next = isWhole ? null : { ...current, part: current.part + (lines.length > 0 ? 1 : 0), progress }
  return { read, state: { ...state, current: next, done: isWhole ? current.id : state.done } }
}

/** Days that are kept no longer. */
async function forgetOld(env: Env, bucket: R2Bucket, place: string, now: number): Promise<void> {
  const first = new Date(now - dumpDays(env) * DAY_MS).toISOString().slice(0, 10)
  const { delimitedPrefixes } = await bucket.list({ prefix: `${place}/`, delimiter: '/' })
  const old = delimitedPrefixes.filter((prefix) => prefix.slice(place.length + 1, -1) < first)
  for (const prefix of old) {
    for (;;) {
      const { objects, truncated } = await bucket.list({ prefix, limit: DELETED_AT_ONCE })
      if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
      if (!truncated) break
    }
  }
}
