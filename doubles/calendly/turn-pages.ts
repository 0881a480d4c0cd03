import type { Call, Json, Reply } from '../world.ts'
import { refuseParameter } from './refuse.ts'

const COUNT = { usual: 20, most: 100 }

/**
 * A part of a collection: developer.calendly.com/api-docs (Pagination). Tokens say nothing to callers, and are null at
 * either end; `count` is how many there are in this part. The addresses repeat the query.
 */
export function page(call: Call, origin: string, all: readonly Json[]): Reply {
  const count = countIn(call)
  if (count === null) return refuseParameter('count', 'must be an integer between 1 and 100')
  const at = offsetIn(call.query.get('page_token'))
  if (at === null) return refuseParameter('page_token', 'is invalid')
  const collection = all.slice(at, at + count)
  const next = at + count < all.length ? tokenFor(at + count) : null
  const previous = at > 0 ? tokenFor(Math.max(0, at - count)) : null
  const addressOf = (token: string | null) => {
    if (token === null) return null
    const query = new URLSearchParams(call.query)
    query.set('count', String(count))
    query.set('page_token', token)
    return `${origin}${call.path}?${query}`
  }
  return {
    status: 200,
    json: {
      collection,
      pagination: {
        count: collection.length,
        next_page: addressOf(next),
        previous_page: addressOf(previous),
        next_page_token: next,
        previous_page_token: previous,
      },
    },
  }
}

function countIn({ query }: Call): number | null {
  const count = Number(query.get('count') ?? COUNT.usual)
  return Number.isInteger(count) && count >= 1 && count <= COUNT.most ? count : null
}

const tokenFor = (at: number): string => Buffer.from(`page after ${at}`).toString('base64url')

function offsetIn(token: string | null): number | null {
  if (token === null) return 0
  const [, at] = /^page after (\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  return at === undefined ? null : Number(at)
}

/** `start_time:asc`, the direction may lack. Null where it names something else. */
export function sorted(all: readonly Json[], sort: string, field: string): readonly Json[] | null {
  const [, named, direction = 'asc'] = /^([a-z_]+)(?::(asc|desc))?$/.exec(sort) ?? []
  if (named !== field) return null
  const sign = direction === 'asc' ? 1 : -1
  return [...all].sort((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0))
}
