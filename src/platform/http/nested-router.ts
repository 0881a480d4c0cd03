import type { IRequest, IttyRouterType } from 'itty-router'
import { IttyRouter } from 'itty-router/IttyRouter'

type Place<A> = {
  readonly method: string
  readonly path: string
  readonly answer: (asked: IRequest & A) => unknown
}

/** Places that belong together, which the first request below one of the paths opens. */
type Branch<A> = { readonly at: readonly string[]; readonly open: () => Promise<readonly Place<A>[]> }

/** The paths of branches have parameters only there, such as `/v1/event-types/:id/hosts`. */
const PARAMETER = 3
const MOST_SEGMENTS = 6

/**
 * Returns what a place answers, or undefined if none fits. Of several paths that a request begins with, the longest one is tried
 * first. Parameters stay percent-encoded, and slashes at the end do not count.
 */
export function nestedRouter<Answer, A extends object = object>(branches: readonly Branch<A>[]) {
  const trunks = new Map<string, (asked: object) => Promise<Answer | undefined>>()
  for (const branch of branches) {
    const answer = whenOpened<A, Answer>(branch)
    for (const path of branch.at) trunks.set(path.replace(/:\w+/, '*'), answer)
  }
  return async (method: string, { origin, pathname }: URL, more: A): Promise<Answer | undefined> => {
    // A plain object, because setting parameters on a request of the runtime takes longer than all patterns.
    const asked = { ...more, method, url: origin + pathname }
    const segments = pathname.split('/', MOST_SEGMENTS)
    for (let length = segments.length; length > 1; length--) {
      for (const path of prefixesOf(segments, length)) {
        const answer = await trunks.get(path)?.(asked)
        if (answer !== undefined) return answer
      }
    }
    return undefined
  }
}

/** The first segments of a path: as they are, and with any parameter. */
function prefixesOf(segments: readonly string[], length: number): readonly string[] {
  const own = segments.slice(0, length)
  const literal = own.join('/')
  return own[PARAMETER] ? [literal, own.with(PARAMETER, '*').join('/')] : [literal]
}

/**
 * Keeps the router and not its promise, because a request must not wait for a promise of another one. A router cannot be awaited:
 * it takes `then` for an HTTP method.
 */
function whenOpened<A, Answer>({ open }: Branch<A>) {
  let opened: IttyRouterType | undefined
  return async (asked: object): Promise<Answer | undefined> => {
    opened ??= routerOf(await open())
    return opened.fetch(asked as IRequest)
  }
}

function routerOf<A>(places: readonly Place<A>[]): IttyRouterType {
  const router = IttyRouter()
  for (const { method, path, answer } of places) router[method.toLowerCase()](path, answer)
  return router
}
