import type { Client, InitOf, ItemOf, ListPath, Operation } from './types.ts'

/** What the service refused; thrown where there is no result to tell it in. */
export class HoldfastError extends Error {
  readonly code: string
  readonly response: Response
  constructor({ code, message }: { code: string; message: string }, response: Response) {
    super(message)
    this.name = 'HoldfastError'
    this.code = code
    this.response = response
  }
}

type Item = { id: string; sequence?: number }
type Answer = {
  data?: { data: Item[]; has_more: boolean }
  error?: { error: { code: string; message: string } }
  response: Response
}
type Init = { params?: { query?: Record<string, unknown> } }

/**
 * Every item of a list, a page at a time. A refusal is thrown, as a `HoldfastError`. The next page is asked for before the
 * last item of this one is given, so that whoever deletes what they are given gets to the end. From an `ending_before` on
 * it walks back: each item is followed by the one that stands before it.
 */
export async function* paginate<P extends ListPath>(
  client: Client,
  path: P,
  init?: InitOf<Operation<P, 'get'>>,
): AsyncGenerator<ItemOf<P>, void, undefined> {
  const get = client.GET as unknown as (path: string, init: Init) => Promise<Answer>
  const { params, ...rest } = (init ?? {}) as Init
  const ask = (cursor: object) =>
    get(path, { ...rest, params: { ...params, query: { ...params?.query, ...cursor } } })
  const isBack = params?.query?.ending_before !== undefined
  for (let asked: Promise<Answer> | null = ask({}); asked; ) {
    const { data: page, error, response }: Answer = await asked
    if (!page) throw new HoldfastError(error!.error, response)
    const items: Item[] = isBack ? [...page.data].reverse() : page.data
    const last: Item | undefined = items.at(-1)
    yield* items.slice(0, -1) as ItemOf<P>[]
    const following = isBack ? { ending_before: last?.id } : { starting_after: last?.id }
    // The feed is read by sequence, everything else by id.
    const cursor: object = path === '/v1/events' ? { after: last?.sequence } : following
    asked = page.has_more && last ? ask(cursor) : null
    await asked?.catch(() => {})
    if (last) yield last as ItemOf<P>
  }
}
