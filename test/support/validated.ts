import { expect, inject } from 'vitest'

/** A call and its answer, as the validating proxy takes them. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** Sends a call and its answer through the validating proxy of `npm run proxy`. Other runs have none. */
export async function assertDocumented(exchange: Exchange): Promise<void> {
  const proxy = inject('proxy')
  if (proxy === '') return
  const response = await fetch(proxy, { method: 'POST', body: JSON.stringify(exchange) })
  expect(await response.json(), `${exchange.method} ${exchange.path}`).toEqual([])
}
