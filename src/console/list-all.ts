import type { Route } from '../platform/http/route.ts'
import { type Input, need } from './ask.ts'
import type { MemberRequest } from './request.ts'

type Part<T> = { readonly data: readonly T[]; readonly has_more: boolean }

/** A list's pages, each as large as the endpoint allows. */
export async function* pagesOf<T extends { readonly id: string }>(
  request: MemberRequest,
  routes: readonly Route[],
  operationId: string,
  query: Input['query'] = {},
): AsyncGenerator<readonly T[]> {
  for (let after: string | undefined; ; ) {
    const page = { ...query, limit: '100', ...(after !== undefined && { starting_after: after }) }
    const { data, has_more } = await need<Part<T>>(request, routes, operationId, { query: page })
    yield data
    if (!has_more) return
    after = data.at(-1)!.id
  }
}

/** All entries of a list, because a picker that lacks the saved one would lose it on saving. */
export async function listAll<T extends { readonly id: string }>(
  request: MemberRequest,
  routes: readonly Route[],
  operationId: string,
  query: Input['query'] = {},
): Promise<readonly T[]> {
  return (await Array.fromAsync(pagesOf<T>(request, routes, operationId, query))).flat()
}
