import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LocalServer, startServer, textOf } from './local-server.ts'

/** How a receiver answers; a plain one says every challenge back and takes everything. */
export type Behaviour = {
  readonly challenge?: 'json' | 'text' | 'silence' | 'something else'
  /** Of the first call that is no challenge, of the second …; the last one stays. */
  readonly statuses?: readonly number[]
  /** Of so many calls that are no challenge, the last one gets a 500. */
  readonly refusesEvery?: number
  /** Refuses no message twice: its next attempt would be minutes away. */
  readonly isPatient?: boolean
  /** Messages that it never refuses, by their ids. */
  readonly spares?: readonly string[]
  readonly body?: string
  readonly location?: string
  /** Before the answer begins. */
  readonly delayMs?: number
  /** The answer begins and never ends. */
  readonly isEndless?: boolean
}

export type Received = {
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
}

type Hook = {
  behaviour: Behaviour
  readonly received: Received[]
  readonly refused: Set<string>
  calls: number
}

export type Receiver = LocalServer

/**
 * A server with as many receivers as there are paths: POST delivers, PUT says how the path behaves, GET tells
 * what it got.
 */
export async function startReceiver(): Promise<Receiver> {
  const hooks = new Map<string, Hook>()
  return startServer(async (request, response) => {
    const path = request.url ?? '/'
    const hook = hooks.get(path) ?? { behaviour: {}, received: [], refused: new Set<string>(), calls: 0 }
    hooks.set(path, hook)
    const body = await textOf(request)
    switch (request.method) {
      case 'GET':
        response.end(JSON.stringify(hook.received))
        return
      case 'PUT':
        hook.behaviour = JSON.parse(body)
        hook.calls = 0
        response.end()
        return
      default:
        await receive(hook, request, body, response)
    }
  })
}

async function receive(
  hook: Hook,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const { behaviour } = hook
  const said = JSON.parse(body) as { type?: string; challenge?: string }
  const isChallenge = said.type === 'webhook.verification'
  const headers = request.headers as Record<string, string>
  const status = isChallenge ? 200 : statusOf(hook, headers['webhook-id']!)
  hook.received.push({ at: Date.now(), headers, body, status })
  if (behaviour.delayMs) await new Promise((done) => setTimeout(done, behaviour.delayMs))
  if (behaviour.location) response.setHeader('Location', behaviour.location)
  response.statusCode = behaviour.location ? 307 : status
  const text = isChallenge ? echo(behaviour, said.challenge!) : (behaviour.body ?? 'ok')
  if (behaviour.isEndless) response.write(text)
  else response.end(text)
}

function statusOf(hook: Hook, messageId: string): number {
  const { statuses = [200], refusesEvery = Number.POSITIVE_INFINITY, isPatient, spares } = hook.behaviour
  hook.calls += 1
  const isSpared = spares?.includes(messageId) || (isPatient && hook.refused.has(messageId))
  if (hook.calls % refusesEvery === 0 && !isSpared) {
    hook.refused.add(messageId)
    return 500
  }
  return statuses[Math.min(hook.calls, statuses.length) - 1]!
}

function echo({ challenge }: Behaviour, word: string): string {
  switch (challenge) {
    case 'text':
      return word
    case 'silence':
      return ''
    case 'something else':
      return JSON.stringify({ challenge: `not ${word}` })
    default:
      return JSON.stringify({ challenge: word })
  }
}
