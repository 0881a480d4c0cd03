import type { Route } from '../platform/http/route.ts'
import type { AnswerOf, PartFor } from '../platform/http/route-input.ts'
import { need } from './ask.ts'
import type { MemberRequest } from './request.ts'

type ItemOf<R extends Route> =
  AnswerOf<R> extends { readonly data: readonly (infer Item)[]; readonly has_more: boolean } ? Item : never

/** A list's pages, each as large as the endpoint allows. */
export async function* pagesOf<R extends Route, Q>(
  request: MemberRequest,
  route: R,
  query?: PartFor<R, 'query', Q>,
): AsyncGenerator<readonly ItemOf<R>[]> {
  for (let after: string | undefined; ; ) {
    const page = { ...(query as object | undefined), limit: 100, starting_after: after }
    const { data, has_more } = (await need(request, route as Route, { query: page })) as {
      readonly data: readonly (ItemOf<R> & { readonly id: string })[]
      readonly has_more: boolean
    }
    yield data
    if (!has_more) return
    after = data.at(-1)!.id
  }
}

/** All entries of a list, because a picker that lacks the saved one would lose it on saving. */
export async function listAll<R extends Route, Q>(
  request: MemberRequest,
  route: R,
  query?: PartFor<R, 'query', Q>,
): Promise<readonly ItemOf<R>[]> {
  return (await Array.fromAsync(pagesOf<R, Q>(request, route, query))).flat()
}
