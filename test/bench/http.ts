import { Agent, request } from 'node:http'

/** Connections stay open, and as many are opened as there are requests at a time. */
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 1_024 })

export type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer = { readonly status: number; readonly text: string }

let callers = 0

/** Every request comes from an address of its own, so that none meets the brake on public callers. */
function freshAddress(): string {
  callers += 1
  return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`
}

/**
 * A connection that was left alone for long may be closed by the runtime at the moment that it is used again: nothing was
 * done then, and the request goes over another one.
 */
export async function send(message: Request): Promise<Answer> {
  try {
    return await sendOnce(message)
  } catch (error) {
    if (!(error instanceof ClosedBefore)) throw error
    return sendOnce(message)
  }
}

class ClosedBefore extends Error {}

function sendOnce({ method, url, body, headers }: Request): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent,
      headers: {
        'CF-Connecting-IP': freshAddress(),
        ...(text !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(text)),
        }),
        ...headers,
      },
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = outgoing.reusedSocket && error.code === 'ECONNRESET'
      reject(isClosed ? new ClosedBefore(error.message) : error)
    })
    outgoing.on('response', (incoming) => {
      const pieces: Buffer[] = []
      incoming.on('data', (piece: Buffer) => pieces.push(piece))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode!, text: Buffer.concat(pieces).toString() }),
      )
    })
    outgoing.end(text)
  })
}

/** For what prepares a measurement: anything but success ends the bench. */
export async function sendJson<T>(message: Request): Promise<T> {
  const { status, text } = await send(message)
  if (status >= 300) throw new Error(`${message.method} ${message.url} answered ${status}: ${text}`)
  return JSON.parse(text) as T
}

export function closeConnections(): void {
  agent.destroy()
}
