import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Env } from '../../src/env.ts'
import { servePage } from '../../src/pages/serve.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import type { Message } from '../../src/platform/queue/messages.ts'
import { rooms } from '../../src/routes.ts'
import { AccountObject } from '../../src/worker/objects/account-object.ts'
import { EventTypeObject } from '../../src/worker/objects/event-type-object.ts'
import { ImportObject } from '../../src/worker/objects/import-object.ts'
import { type Answered, type Call, freshAddress } from './app.ts'
import { bookingInput, dateOf } from './factories.ts'
import { browserRequest, seen, type Visit } from './pages.ts'
import { sentEmail } from './sent-email.ts'

type Binding = { send(email: unknown): Promise<unknown> }

/** A test sees an email in its parts, also one that is sent as a raw message. */
function opening(binding: Binding): Binding {
  return { send: (email) => binding.send(sentEmail(email)) }
}

/**
 * The service with settings of its own, in this process: the same database, objects that nobody else asks, and a
 * queue whose messages stay where a test can see them.
 */
export function serviceWith(settings: Readonly<Record<string, unknown>>) {
  const messages: Message[] = []
  const alive: Map<string, unknown>[] = []
  let underWay = 0
  /** Objects of our own in the place of the real ones, whose state and time they have. */
  function objectsOf(
    real: DurableObjectNamespace,
    Made: new (state: DurableObjectState, env: Env) => object,
  ) {
    const made = new Map<string, Record<string, (...given: unknown[]) => unknown>>()
    alive.push(made)
    return {
      getByName: (name: string) =>
        new Proxy({} as Record<string, unknown>, {
          get:
            (_, method: string) =>
            async (...given: unknown[]) => {
              underWay += 1
              try {
                return await runInDurableObject(real.getByName(name), (_real, state) => {
                  const object = made.get(name) ?? (new Made(state, own) as ReturnType<typeof made.get>)!
                  made.set(name, object)
                  return object[method]!(...given)
                })
              } finally {
                underWay -= 1
              }
            },
        }),
    }
  }
  const own = {
    ...env,
    ...settings,
    ...('EMAIL' in settings && { EMAIL: opening(settings.EMAIL as Binding) }),
    EVENT_TYPES: objectsOf(env.EVENT_TYPES, EventTypeObject),
    ACCOUNTS: objectsOf(env.ACCOUNTS, AccountObject),
    IMPORTS: objectsOf(env.IMPORTS, ImportObject),
    EVENTS: {
      sendBatch: async (batch: Iterable<{ body: Message }>) => {
        messages.push(...[...batch].map(({ body }) => body))
      },
    },
  } as unknown as Env
  const serve = createFetch(rooms)

  async function call<T = any>(
    method: string,
    path: string,
    { body, headers, key }: Call = {},
  ): Promise<Answered<T>> {
    const request = new Request(`https://holdfast.test${path}`, {
      method,
      headers: {
        'CF-Connecting-IP': freshAddress(),
        ...(key && { Authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const response = await serve(request, own)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    } as Answered<T>
  }

  return {
    env: own,
    call,
    visit: async (path: string, how: Visit = {}) => seen((await servePage(browserRequest(path, how), own))!),
    messages,
    /** How much objects are doing, also for whom nobody answers any more. */
    underWay: () => underWay,
    /** All objects lose what they remember; what is stored stays. */
    killObjects: () => {
      for (const each of alive) each.clear()
    },
    book: (eventTypeId: string, start: number, input: Record<string, unknown> = {}) =>
      call('POST', '/v1/bookings', { body: bookingInput(eventTypeId, start, input) }),
    openStarts: async (eventTypeId: string, first: number, last = first): Promise<string[]> => {
      const range = `start=${dateOf(first)}&end=${dateOf(last)}&timezone=UTC`
      const { body } = await call('GET', `/v1/availability?event_type_id=${eventTypeId}&${range}`)
      return body.slots.map((slot: { start_time: string }) => slot.start_time)
    },
  }
}

export type Service = ReturnType<typeof serviceWith>
