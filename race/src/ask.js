/**
 * One request with JSON in and out. Answers with the status and the body, and never throws: status 0 is no answer.
 *
 * @param {string} method
 * @param {string} url
 * @param {{ headers?: Record<string, string>, body?: unknown, signal?: AbortSignal | undefined }} [options]
 * @returns {Promise<{ status: number, body: any }>}
 */
export async function ask(method, url, { headers = {}, body, signal } = {}) {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    return { status: response.status, body: read(text) }
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: { code?: string } }} */ (error)
    return { status: 0, body: { message: cause?.code ? `${message}, ${cause.code}` : message } }
  }
}

/** @param {string} text */
function read(text) {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * What is neither made nor said to be taken could not be answered.
 *
 * @param {{ status: number, body: any }} answer
 * @param {string | undefined} id
 * @param {readonly number[]} refusals
 * @returns {import('./types.d.ts').Answer}
 */
export function answerOf({ status, body }, id, refusals = [400, 403, 404, 409, 410, 422]) {
  if (status >= 200 && status < 300 && id !== undefined) return { kind: 'made', id }
  const why = JSON.stringify(body?.error ?? body?.message ?? body ?? null).slice(0, 200)
  return { kind: refusals.includes(status) ? 'taken' : 'failed', status, why }
}

/**
 * @param {{ status: number, body: any }} answer
 * @param {string} what
 */
export function bodyOf({ status, body }, what) {
  if (status >= 200 && status < 300) return body
  if (status === 0) throw new Error(`${what}: the target did not answer (${body.message})`)
  throw new Error(`${what}: the target answered ${status} ${JSON.stringify(body).slice(0, 300)}`)
}
