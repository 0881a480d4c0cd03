import { NO_ANSWER } from './patience.ts'

/**
 * Failures of the database or of an object that pass without any action: a lost connection, a restart, a move.
 * https://developers.cloudflare.com/d1/observability/debug-d1/#error-list says of these: retry.
 */
const BLIPS = [
  'Network connection lost',
  'reset because its code was updated',
  'starting up D1 DB storage caused object to be reset',
  'Internal error in D1 DB storage caused object to be reset',
  'due to transient issue on remote node',
  'client disconnected',
]

/** It is at its limit: asking again at once would make that worse. */
const STRAINS = [
  'is overloaded',
  'exceeded timeout which caused object to be reset',
  'exceeded its memory limit and was reset',
  'exceeded its CPU time limit and was reset',
  // Reported faults of the platform itself: https://github.com/cloudflare/workers-sdk/issues/15351
  'internal error; reference = ',
  NO_ANSWER,
]

/**
 * An object runs other code than its caller: after a deployment or a rollback it keeps its own until the `code_update_strategy`
 * of wrangler.toml ends that. The first is said by `event-type-keeper.ts`, the second by the runtime.
 * https://developers.cloudflare.com/durable-objects/deployments/durable-objects-code-updates, read 2026-11
 */
const OTHER_CODE = ['No verb does ', 'The RPC receiver does not implement the method']

/** Raised by a trigger: nothing of the organization is changed here while it moves to another deployment. */
const MOVES = 'ORGANIZATION_MOVES'

/** A value is longer than the database makes or takes. */
const TOO_BIG = 'SQLITE_TOOBIG'

export function isTooBig(error: unknown): boolean {
  return says(error, [TOO_BIG])
}

export function isMoving(error: unknown): boolean {
  return says(error, [MOVES])
}

/** Whether the same may be asked again at once. It may have happened nevertheless: the answer can be what was lost. */
export function isBlip(error: unknown): boolean {
  return says(error, BLIPS)
}

/** Whether it is worth coming back a little later. */
export function isPassing(error: unknown): boolean {
  return says(error, [...BLIPS, ...STRAINS, ...OTHER_CODE, MOVES]) || isSaidByRuntime(error)
}

/** Only the first cause counts: what wraps it contains the parameters of the query, which can say anything. */
function says(error: unknown, texts: readonly string[]): boolean {
  let first = error
  for (let depth = 0; first instanceof Error && first.cause instanceof Error && depth < 5; depth++) {
    first = first.cause
  }
  return first instanceof Error && texts.some((text) => (first as Error).message.includes(text))
}

/** The runtime has already retried calls of objects, as far as that cannot run a method twice. */
function isSaidByRuntime(error: unknown): boolean {
  const { retryable, overloaded } = (error ?? {}) as { retryable?: unknown; overloaded?: unknown }
  return retryable === true || overloaded === true
}
