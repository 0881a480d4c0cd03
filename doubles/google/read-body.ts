import type { Call, Json } from '../world.ts'
import { refuse } from './refuse.ts'

/** An object, or Google's error for other text. */
export function readBody(call: Call): Json {
  const type = call.headers['content-type'] ?? ''
  if (call.body && !type.includes('json')) {
    throw refuse(400, 'badContent', `Unsupported content with type: ${type}`)
  }
  try {
    const body = JSON.parse(call.body || '{}')
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch {}
  throw refuse(400, 'parseError', 'Parse Error')
}
