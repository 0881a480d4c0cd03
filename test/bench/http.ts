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

/** The runtime closed a connection, which had been left alone, when it was used again. What was asked may have been done. */
export class ConnectionLost extends Error {}

/** Over a connection that was open already, where there is one; throws `ConnectionLost`. */
export function send(message: Request): Promise<Answer> {
  return sendOver(agent, message)
}

function sendOver(connections: Agent | false, { method, url, body, headers }: Request): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent: connections,
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
      reject(isClosed ? new ConnectionLost(error.message) : error)
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

/** For what is not timed, over a connection of its own: anything but success ends the bench. */
export async function sendJson<T>(message: Request): Promise<T> {
  const { status, text } = await sendOver(false, message)
  if (status >= 300) throw new Error(`${message.method} ${message.url} answered ${status}: ${text}`)
  return JSON.parse(text) as T
}

export function closeConnections(): void {
  agent.destroy()
}
