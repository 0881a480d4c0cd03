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

/** Every item of a list, a page at a time. A refusal is thrown, as a `HoldfastError`. */
export async function* paginate<P extends ListPath>(
  client: Client,
  path: P,
  init?: InitOf<Operation<P, 'get'>>,
): AsyncGenerator<ItemOf<P>, void, undefined> {
  const get = client.GET as unknown as (path: string, init: Init) => Promise<Answer>
  const { params, ...rest } = (init ?? {}) as Init
  for (let cursor = {}; ; ) {
    const query = { ...params?.query, ...cursor }
    const { data: page, error, response } = await get(path, { ...rest, params: { ...params, query } })
    if (!page) throw new HoldfastError(error!.error, response)
    yield* page.data as ItemOf<P>[]
    const last = page.data.at(-1)
    if (!page.has_more || !last) return
    // The feed is read by sequence, everything else by id.
    cursor = path === '/v1/events' ? { after: last.sequence } : { starting_after: last.id }
  }
}
