import type { Env } from '../../src/env.ts'

/** What Cloudflare bills, besides rows. */
export type Billed = {
  /** Requests, batches of messages and sweeps: whatever the Worker runs for. */
  readonly requests: number
  readonly objectRequests: number
  /** How long objects ran for these. */
  readonly objectMs: number
  readonly messages: number
  readonly emails: number
  readonly lines: number
}

export const NOTHING_BILLED: Billed = {
  requests: 0,
  objectRequests: 0,
  objectMs: 0,
  messages: 0,
  emails: 0,
  lines: 0,
}

type Methods = Record<string, (...args: unknown[]) => unknown>
type Note = (name: keyof Billed, by: number) => void

/** The bindings that are billed by use, each of which notes how it is used. */
export function billedBindings(env: Env, note: Note): Partial<Env> {
  return {
    EVENT_TYPES: billedObjects(env.EVENT_TYPES, note),
    RATE_LIMITS: billedObjects(env.RATE_LIMITS, note),
    ACCOUNTS: billedObjects(env.ACCOUNTS, note),
    EVENTS: billedQueue(env.EVENTS, note),
    WEBHOOKS: billedQueue(env.WEBHOOKS, note),
    EMAIL: {
      send: (email: EmailMessage) => {
        note('emails', 1)
        return env.EMAIL.send(email)
      },
    } as SendEmail,
  }
}

/** Lines are counted instead of written. */
export function countLines(note: Note): void {
  console.log = () => note('lines', 1)
}

function billedQueue(queue: Queue, note: Note): Queue {
  return {
    send: (...sent: Parameters<Queue['send']>) => {
      note('messages', 1)
      return queue.send(...sent)
    },
    sendBatch: (messages: readonly MessageSendRequest[], options?: QueueSendBatchOptions) => {
      note('messages', messages.length)
      return queue.sendBatch(messages, options)
    },
  } as unknown as Queue
}

function billedObjects(objects: DurableObjectNamespace, note: Note): DurableObjectNamespace {
  const billed = (stub: object) =>
    new Proxy(stub as Methods, {
      get: (target, name: string) => {
        if (typeof target[name] !== 'function') return target[name]
        return async (...args: unknown[]) => {
          const began = Date.now()
          try {
            // A method of a stub has none of its own, not even `apply`.
            return await target[name]!(...args)
          } finally {
            note('objectRequests', 1)
            note('objectMs', Date.now() - began)
          }
        }
      },
    })
  return new Proxy(objects, {
    get: (target, name) => {
      const value = target[name as keyof DurableObjectNamespace] as (...args: unknown[]) => object
      const isStub = name === 'getByName' || name === 'get'
      return (...args: unknown[]) => {
        const made = value.apply(target, args)
        return isStub ? billed(made) : made
      }
    },
  })
}
