import { ERRORS } from '../reasons/error-codes.ts'
import { type Problem, problemText, sentenceOf } from '../reasons/reason.ts'
import { challengeOf } from './challenge.ts'
import type { Refusal } from './errors.ts'

/** An answer before it becomes bytes, so that it can be kept and replayed. */
export type Answer = {
  readonly status: number
  readonly body: unknown
}

/** A body that is JSON already, as UTF-8. It is not kept for an Idempotency-Key. */
export class JsonBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes
  }
}

/** A body that is text for a machine of another kind. It is not kept for an Idempotency-Key. */
export class PlainText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A body as a value: some are written out already. */
export function plainBody(body: unknown): unknown {
  return body instanceof JsonBytes ? JSON.parse(new TextDecoder().decode(body.bytes)) : body
}

/** A body that is made while it is sent. It is not kept for an Idempotency-Key. */
export class Streamed {
  readonly stream: ReadableStream<Uint8Array>
  readonly contentType: string
  constructor(stream: ReadableStream<Uint8Array>, contentType: string) {
    this.stream = stream
    this.contentType = contentType
  }
}

export function refusalAnswer(refusal: Refusal, beside: Readonly<Record<string, unknown>> = {}): Answer {
  const { code, reason, numbers, fields } = refusal
  const { message, details } = toldOf(refusal)
  const error = { code, message, ...(details && { details }), reason, numbers, fields }
  return { status: ERRORS[code].status, body: { error, ...beside } }
}

/** A refusal that was stored names its request, and says what it said then. */
export type StoredRefusal = Refusal & { readonly message?: string; readonly request_id?: string }

/** What callers read of a refusal, in English. */
export function toldOf(
  refusal: StoredRefusal,
): Pick<StoredRefusal, 'details'> & { readonly message: string } {
  const {
    message = sentenceOf(refusal),
    fields,
    details = fields && mapFields(fields, problemText),
  } = refusal
  return { message, ...(details && { details }) }
}

/** Each field's problem as `text` says it. */
export function mapFields(fields: NonNullable<Refusal['fields']>, text: (problem: Problem) => string) {
  return Object.fromEntries(Object.entries(fields).map(([field, problem]) => [field, text(problem)]))
}

/** The refusal in an answer, as it was made. */
export function refusalOf({ body }: Answer): StoredRefusal {
  return (body as { readonly error: StoredRefusal }).error
}

/** A refusal that names the request that it was decided for, unless it names an earlier one already. */
export function inRequest(answer: Answer, requestId: string): Answer {
  return changeError(answer, (error) => ({ ...error, request_id: error.request_id ?? requestId }))
}

/** A refusal as callers get it: it says where its code is explained, and under which id it is in the log. The reason is ours. */
export function explained(answer: Answer, publicUrl: string, requestId: string): Answer {
  const docUrl = (code: unknown) => `${publicUrl}/docs/errors#${code}`
  return changeError(inRequest(answer, requestId), ({ code, message, details, request_id }) => {
    return { code, message, details, doc_url: docUrl(code), request_id }
  })
}

type ErrorBody = { readonly error: Readonly<Record<string, unknown>> }

function changeError(answer: Answer, change: (error: ErrorBody['error']) => ErrorBody['error']): Answer {
  if (answer.status < 400 || typeof answer.body !== 'object' || answer.body === null) return answer
  if (!('error' in answer.body)) return answer
  const body = answer.body as ErrorBody
  return { status: answer.status, body: { ...body, error: change(body.error) } }
}

/** A passing failure is mostly over by then. */
export const BLIP_SECONDS = 2

export function toResponse(answer: Answer, request: Request, headers: Headers): Response {
  if (answer.status === 401) {
    headers.set('WWW-Authenticate', challengeOf(request, refusalOf(answer).message ?? ''))
  }
  if (answer.status === 503) headers.set('Retry-After', String(BLIP_SECONDS))
  if (answer.status === 204 || answer.status === 304) {
    return new Response(null, { status: answer.status, headers })
  }
  headers.set('Content-Type', `${kindOf(answer.body)}; charset=utf-8`)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  return new Response(contentOf(answer.body), { status: answer.status, headers })
}

function kindOf(body: unknown): string {
  if (body instanceof Streamed) return body.contentType
  return body instanceof PlainText ? 'text/plain' : 'application/json'
}

function contentOf(body: unknown): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (body instanceof PlainText) return body.text
  if (body instanceof Streamed) return body.stream
  return body instanceof JsonBytes ? body.bytes : JSON.stringify(body)
}
