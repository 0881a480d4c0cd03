import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type LocalServer, startServer, textOf } from './local-server.ts'

/** One answer of a misbehaving server, or several by method or REPORT, as `answers` below picks them. */
type ScriptedAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Repeats `body` so often, piece by piece. */
  readonly repeat?: number
  /** Sends the headers and the body, and never ends. */
  readonly isEndless?: boolean
  /** Never begins to answer. */
  readonly isSilent?: boolean
}

/** What a path answers: by method, by the name of a REPORT's or PROPFIND's root element, else `*`. A list is used up. */
export type Script = Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>

type SeenRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How many octets of the answer were handed over. */
  sent: number
}

type Place = { script: Script; readonly used: Map<string, number>; readonly seen: SeenRequest[] }

/**
 * A server on which each first part of a path is a CalDAV server of its own: `PUT /_script/<name>` says how it
 * answers, `GET /_seen/<name>` what it was asked.
 */
export async function startCaldavDouble(): Promise<LocalServer> {
  const places = new Map<string, Place>()
  return startServer(async (request, response) => {
    const [, first = '', second = ''] = (request.url ?? '/').split('/')
    const body = await textOf(request)
    if (first === '_script') {
      places.set(second, { script: JSON.parse(body), used: new Map(), seen: [] })
      response.end()
      return
    }
    const place = places.get(first === '_seen' ? second : first)
    if (place === undefined) {
      response.writeHead(404).end()
      return
    }
    if (first === '_seen') {
      response.end(JSON.stringify(place.seen))
      return
    }
    const { method = '', url = '' } = request
    const seen = { method, url, headers: request.headers as Record<string, string>, body, sent: 0 }
    place.seen.push(seen)
    await answer(choose(place, method, body), seen, response)
  })
}

function choose({ script, used }: Place, method: string, body: string): ScriptedAnswer {
  const root = /<[A-Z]+:([a-z-]+) xmlns/.exec(body)?.[1] ?? ''
  const key = [root, method, '*'].find((name) => Object.hasOwn(script, name)) ?? '*'
  const answers = [script[key] ?? { status: 404 }].flat()
  const count = used.get(key) ?? 0
  used.set(key, count + 1)
  return answers[Math.min(count, answers.length - 1)]!
}

async function answer(scripted: ScriptedAnswer, seen: SeenRequest, response: ServerResponse): Promise<void> {
  const { status = 207, headers, body = '', repeat = 1, isEndless, isSilent } = scripted
  if (isSilent) return
  response.writeHead(status, { 'Content-Type': 'application/xml; charset=utf-8', ...headers })
  const closed = once(response, 'close')
  for (let piece = 0; piece < repeat && !response.destroyed; piece++) {
    seen.sent += body.length
    if (!response.write(body)) {
      await Promise.race([once(response, 'drain'), closed])
    }
  }
  if (!isEndless) response.end()
}
