import type { Json } from '../world.ts'
import { Refusal, refuse, refuseMissing } from './refuse.ts'
import { type Caller, objectsOf, seek } from './state.ts'

/** The object of that kind of the caller's account; objects of other accounts are not there. */
export function find(caller: Caller, kind: string, id: string, param = 'id', status = 404): Json {
  const found = objectsOf(caller.stripe, caller.account).get(id)
  // docs.stripe.com/error-codes#resource-missing
  const isGone = found?.deleted === true && param !== 'id'
  if (found?.object !== kind || isGone) throw refuseMissing(kind, id, param, status)
  return found
}

/**
 * A page of a list, the newest first; 10 by default, at most 100. docs.stripe.com/api/pagination `matches` filters by the list's
 * own parameters.
 */
export function turnPage(
  caller: Caller,
  kind: string,
  url: string,
  parameters: Json,
  matches: (one: Json) => boolean = () => true,
): Json {
  const { limit = 10, starting_after: after, ending_before: before } = parameters
  if (limit < 1 || limit > 100)
    throw refuse(
      limit < 1
        ? 'This value must be greater than or equal to 1.'
        : 'This value must be less than or equal to 100 (it currently is: '.concat(`'${limit}').`),
      {
        param: 'limit',
        code: 'parameter_invalid_integer',
      },
    )
  if (after && before)
    throw refuse('You may only specify one of these parameters: starting_after, ending_before.', {
      code: 'parameters_exclusive',
    })
  const all = [...objectsOf(caller.stripe, caller.account).values()]
    .filter(
      (one) =>
        one.object === kind && !one.deleted && isWithin(one.created, parameters.created) && matches(one),
    )
    .reverse()
  const cursor = after ?? before
  if (cursor) find(caller, kind, cursor, after ? 'starting_after' : 'ending_before', 400)
  const at = all.findIndex(({ id }) => id === cursor)
  const rest = after ? all.slice(at + 1) : before ? all.slice(0, Math.max(0, at)) : all
  const data = before ? rest.slice(-limit) : rest.slice(0, limit)
  return { object: 'list', data, has_more: rest.length > data.length, url }
}

function isWithin(created: number, range: number | Json | undefined): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  return (
    created > (range.gt ?? -1) &&
    created >= (range.gte ?? 0) &&
    created < (range.lt ?? Number.POSITIVE_INFINITY) &&
    created <= (range.lte ?? Number.POSITIVE_INFINITY)
  )
}

/** What can never be expanded though it is an id or a text. */
const FIXED = ['id', 'object', 'client_secret', 'currency', 'status', 'payment_method']

/** `expand[]=latest_charge.balance_transaction`, four deep. docs.stripe.com/api/expanding_objects */
export function expand(caller: Caller, told: Json, paths: readonly string[] = []): Json {
  const copy = structuredClone(told)
  for (const path of paths) {
    const keys = path.split('.')
    if (keys.length > 5 || FIXED.includes(keys.at(-1)!)) throw cannotExpand(path)
    open(caller, copy, keys, path)
  }
  return copy
}

function open(caller: Caller, within: Json, [key = '', ...rest]: readonly string[], path: string): void {
  if (Array.isArray(within)) {
    for (const one of within) open(caller, one, [key, ...rest], path)
    return
  }
  if (!(key in within)) throw cannotExpand(path)
  const value = within[key]
  if (value === null) return
  if (typeof value === 'string') {
    const found = objectsOf(caller.stripe, caller.account).get(value) ?? seek(caller.stripe, value)?.object
    if (!found) throw cannotExpand(path)
    within[key] = structuredClone(found)
  }
  if (rest.length > 0) open(caller, within[key], rest, path)
}

function cannotExpand(path: string): Refusal {
  return new Refusal(400, { message: `This property cannot be expanded (${path}).`, param: 'expand' }, false)
}
