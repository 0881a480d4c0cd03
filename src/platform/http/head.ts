const heads = new WeakSet<Request>()

/** Whether only the head of the answer is wanted. */
export function isForHead(request: Request): boolean {
  return heads.has(request)
}

/** Answers HEAD as GET is answered, without the body (RFC 9110, section 9.3.2). */
export async function answerHead(
  request: Request,
  answerGet: (request: Request) => Promise<Response>,
): Promise<Response> {
  const get = new Request(request, { method: 'GET' })
  heads.add(get)
  const response = await answerGet(get)
  const headers = new Headers(response.headers)
  // Lines are read while they are sent: how long they would be is not worth reading them all.
  if (headers.get('Content-Type')?.startsWith('application/x-ndjson')) await response.body?.cancel()
  else if (response.body) headers.set('Content-Length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status: response.status, headers })
}
