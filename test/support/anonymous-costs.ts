import { env } from 'cloudflare:workers'
import type { Env } from '../../src/env.ts'
import worker from '../../src/index.ts'
import type { Message } from '../../src/platform/queue/messages.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { EventTypeKeeper } from '../../src/worker/objects/event-type-keeper.ts'
import { freshAddress, type Json } from './app.ts'
import { countedEnv } from './counted-env.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly body?: Json | undefined
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>> | undefined
}

type Cost = {
  readonly status: number
  readonly read: number
  readonly written: number
  readonly emails: number
}

type Sent = { readonly body: Message }

/**
 * A service of its own, with nothing in memory. It counts what a call reads, writes and sends until its events are handled,
 * in the object of the event type too.
 */
export function countedService() {
  let emails = 0
  const messages: Message[] = []
  const keepers = new Map<string, EventTypeKeeper>()
  const works: Promise<unknown>[] = []
  const keeperOf = (id: string) => {
    const keeper =
      keepers.get(id) ?? new EventTypeKeeper(counted.env, counted.env, (work) => void works.push(work))
    keepers.set(id, keeper)
    return keeper
  }
  const surroundings = {
    ...env,
    EMAIL: { send: async () => void emails++ },
    EVENTS: {
      sendBatch: async (sent: Iterable<Sent>) => void messages.push(...[...sent].map(({ body }) => body)),
    },
    EVENT_TYPES: { getByName: keeperOf },
  }
  const counted = countedEnv(surroundings as unknown as Env)

  async function costOf({ method, path, body, form, headers }: Asked): Promise<Cost> {
    counted.ran.length = 0
    emails = 0
    const request = new Request(`https://holdfast.test${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'CF-Connecting-IP': freshAddress(),
        ...(body && { 'Content-Type': 'application/json' }),
        ...(form && { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
    await response.arrayBuffer()
    await Promise.all(works.splice(0))
    await counted.settle()
    while (messages.length > 0) {
      const message = messages.shift()!
      if (message.type === 'email') emails++
      if (message.type === 'event') await handleEvent(counted.env, message.eventId)
    }
    const sum = (of: 'read' | 'written') => counted.ran.reduce((total, one) => total + one[of], 0)
    return { status: response.status, read: sum('read'), written: sum('written'), emails }
  }
  return { costOf }
}
