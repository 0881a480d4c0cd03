import type { Call, Json } from '../world.ts'
import { badRequest, Refusal } from './graph-reply.ts'

/** Bodies are JSON, and say so. */
export function bodyOf(call: Call): Json {
  if (!(call.headers['content-type'] ?? '').startsWith('application/json')) {
    throw new Refusal(
      415,
      'RequestBodyRead',
      'A supported MIME type could not be found that matches the content type.',
    )
  }
  const body = JSON.parse(call.body)
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw badRequest('Empty Payload. JSON content expected.')
  return body
}
