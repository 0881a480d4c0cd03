import type { IRequest, IttyRouterType } from 'itty-router'
import { IttyRouter } from 'itty-router/IttyRouter'

type Place<A> = {
  readonly method: string
  readonly path: string
  readonly answer: (asked: IRequest & A) => unknown
}

/** Places that belong together, which the first request below one of the paths opens. */
type Branch<A> = { readonly at: readonly string[]; readonly open: () => Promise<readonly Place<A>[]> }

/**
 * Returns what a place answers, or undefined if none fits. Of several paths that a request begins with, the longest one is tried
 * first. Parameters stay percent-encoded, and slashes at the end do not count.
 */
export function nestedRouter<Answer, A extends object = object>(branches: readonly Branch<A>[]) {
  const router = IttyRouter()
  const trunks = branches.flatMap((branch) => {
    const answer = whenOpened(branch)
    return branch.at.map((path) => ({ path, answer }))
  })
  for (const { path, answer } of trunks.sort((a, b) => segments(b.path) - segments(a.path))) {
    router.all(`${path}/*`, answer)
  }
  // A plain object, because setting parameters on a request of the runtime takes longer than all patterns.
  return (method: string, { origin, pathname }: URL, more: A): Promise<Answer | undefined> =>
    router.fetch({ ...more, method, url: origin + pathname })
}

/**
 * Keeps the router and not its promise, because a request must not wait for a promise of another one. A router cannot be awaited:
 * it takes `then` for an HTTP method.
 */
function whenOpened<A>({ open }: Branch<A>) {
  let opened: IttyRouterType | undefined
  return async (asked: IRequest) => {
    opened ??= routerOf(await open())
    return opened.fetch(asked)
  }
}

function routerOf<A>(places: readonly Place<A>[]): IttyRouterType {
  const router = IttyRouter()
  for (const { method, path, answer } of places) router[method.toLowerCase()](path, answer)
  return router
}

function segments(path: string): number {
  return path.split('/').length
}
