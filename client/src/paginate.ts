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
 * last item of this one is given, so that whoever deletes what they are given gets to the end.
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
  for (let asked: Promise<Answer> | null = ask({}); asked; ) {
    const { data: page, error, response }: Answer = await asked
    if (!page) throw new HoldfastError(error!.error, response)
    const last: Item | undefined = page.data.at(-1)
    yield* page.data.slice(0, -1) as ItemOf<P>[]
    // The feed is read by sequence, everything else by id.
    const cursor: object = path === '/v1/events' ? { after: last?.sequence } : { starting_after: last?.id }
    asked = page.has_more && last ? ask(cursor) : null
    await asked?.catch(() => {})
    if (last) yield last as ItemOf<P>
  }
}
