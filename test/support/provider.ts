import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LocalServer, startServer, textOf } from './local-server.ts'
import { decodeForm, type Params } from './provider-form.ts'
import { applyCall, type Objects, type ProviderError, type ProviderObject } from './provider-objects.ts'

/**
 * What goes wrong with the next calls of one step. `answers` is only late; `refuses` is a 400; `is busy` a 409, as
 * long as the first call with the same key runs; `fails` a 500, before or after the work was
 * done; `hangs` never answers, before or after; `drops` ends the connection after the work was done.
 */
export type Trouble = {
  /** Such as `POST payment_intents`, `POST payment_intents/cancel`, `GET payment_intents`. */
  readonly step: string
  /** Only calls in whose path, parameters, object or key this text stands, so that tests do not disturb each other. */
  readonly about: string
  readonly does:
    | 'answers'
    | 'refuses'
    | 'is busy'
    | 'fails'
    | 'fails after'
    | 'hangs'
    | 'hangs after'
    | 'drops'
  /** How often; for ever unless told. */
  readonly times?: number
  /** The code of a refusal. */
  readonly code?: string
  /** Before anything else happens. */
  readonly delayMs?: number
  /** Between the work and the answer, which is old by then. */
  readonly answerDelayMs?: number
}

export type ProviderCall = {
  readonly step: string
  readonly id: string | null
  readonly params: Params
  readonly idempotencyKey: string | null
  readonly account: string | null
  readonly isReplay: boolean
  readonly status: number
}

type Kept = { readonly fingerprint: string; readonly answer: Promise<ProviderAnswer> }
type ProviderAnswer = { readonly status: number; readonly body: unknown }

export type Provider = LocalServer

/**
 * The payment provider's REST API as far as the service uses it, with everything in memory. Beside it:
 * `GET /_calls?about=`, `PUT /_trouble` (a list that is added), `DELETE /_trouble?about=`, `GET|PUT /_objects/{id}`, `GET /_objects?about=`.
 */
export async function startProvider(port = 0): Promise<Provider> {
  const objects: Objects = new Map()
  const kept = new Map<string, Kept>()
  const calls: ProviderCall[] = []
  let troubles: (Trouble & { left: number })[] = []

  async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider')
    const text = await textOf(request)
    const about = searchParams.get('about') ?? ''
    const isAbout = (value: unknown) => JSON.stringify(value).includes(about)
    const [, room, id] = pathname.split('/')
    if (room === '_calls') return answer(response, { status: 200, body: calls.filter(isAbout) })
    if (room === '_trouble') {
      if (request.method === 'DELETE') troubles = troubles.filter((one) => one.about !== about)
      else
        for (const one of JSON.parse(text) as Trouble[])
          troubles.push({ ...one, left: one.times ?? Number.POSITIVE_INFINITY })
      return answer(response, { status: 200, body: {} })
    }
    if (room === '_objects') {
      if (request.method === 'PUT') {
        const before = objects.get(id!) ?? { id: id!, object: 'unknown' }
        objects.set(id!, { ...before, ...JSON.parse(text) })
      }
      const body = id ? objects.get(id) : [...objects.values()].filter(isAbout)
      return answer(response, { status: body ? 200 : 404, body: body ?? {} })
    }
    await serve(request, response, pathname, searchParams, text)
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    query: URLSearchParams,
    text: string,
  ): Promise<void> {
    const method = request.method ?? 'GET'
    const params = method === 'POST' ? decodeForm(text) : decodeForm(query.toString())
    const [, , collection = '', ...rest] = pathname.split('/')
    const isNested = collection === 'checkout' || collection === 'billing_portal'
    const name = isNested ? `${collection}/${rest[0]}` : collection
    const [id = null, action = null] = isNested ? rest.slice(1) : rest
    const step = `${method} ${name}${action ? `/${action}` : ''}`
    const idempotencyKey = header(request, 'idempotency-key')
    const account = header(request, 'stripe-account')
    const tell = ({ status }: ProviderAnswer, isReplay: boolean) =>
      calls.push({ step, id, params, idempotencyKey, account, isReplay, status })

    if (!/^Bearer sk_/.test(request.headers.authorization ?? '')) {
      return answer(response, error(401, { type: 'invalid_request_error', message: 'Invalid API Key.' }))
    }
    const whole = JSON.stringify([pathname, params, objects.get(id ?? ''), idempotencyKey])
    const trouble = troubles.find((one) => one.step === step && one.left > 0 && whole.includes(one.about))
    if (trouble) trouble.left -= 1
    if (trouble?.delayMs) await new Promise((done) => setTimeout(done, trouble.delayMs))
    if (trouble?.does === 'hangs') {
      tell({ status: 0, body: null }, false)
      return
    }
    if (trouble?.does === 'is busy') {
      return answer(response, error(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }))
    }
    const work = async (): Promise<ProviderAnswer> => {
      if (trouble?.does === 'refuses') {
        return error(400, { type: 'invalid_request_error', code: trouble.code ?? 'parameter_invalid' })
      }
      if (trouble?.does === 'fails') return error(500, { type: 'api_error' })
      return applyCall(objects, { method, name, id, action, params })
    }

    // A key answers as it did the first time, errors included, and another request may not use it.
    const known = method === 'POST' && idempotencyKey ? kept.get(idempotencyKey) : undefined
    const fingerprint = `${step} ${id} ${JSON.stringify(params)}`
    if (known && known.fingerprint !== fingerprint) {
      const told = error(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
      tell(told, false)
      return answer(response, told)
    }
    const promise = known?.answer ?? work()
    if (!known && idempotencyKey && method === 'POST') {
      kept.set(idempotencyKey, { fingerprint, answer: promise })
    }
    const told = await promise
    tell(told, known !== undefined)
    if (trouble?.answerDelayMs) await new Promise((done) => setTimeout(done, trouble.answerDelayMs))
    if (trouble?.does === 'hangs after') return
    if (trouble?.does === 'drops') {
      request.socket.destroy()
      return
    }
    if (trouble?.does === 'fails after') return answer(response, error(500, { type: 'api_error' }))
    if (known) response.setHeader('Idempotent-Replayed', 'true')
    answer(response, told)
  }

  return startServer(answerCall, port)
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const { url, stop } = await startProvider()
  await stop()
  return Number(new URL(url).port)
}

function error(status: number, body: ProviderError): ProviderAnswer {
  return { status, body: { error: { message: 'The provider says no.', ...body } } }
}

function answer(response: ServerResponse, { status, body }: ProviderAnswer): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Request-Id', `req_${Math.random().toString(36).slice(2)}`)
  response.end(JSON.stringify(body))
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

export type { ProviderObject }
