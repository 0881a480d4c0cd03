/** A tag for an answer that is made of this (RFC 9110, section 8.8.3). It is weak: equal data may be written in other words. */
export async function entityTag(madeOf: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(madeOf)))
  const hex = Array.from(new Uint8Array(digest, 0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `W/"${hex}"`
}

/** Whether the caller may have an earlier answer, so that it is worth checking first. */
export function isConditional({ method, headers }: Request): boolean {
  return method === 'GET' && headers.has('if-none-match')
}

/** Whether the caller has the answer with this tag. Strong and weak tags are equal here (RFC 9110, section 13.1.2). */
export function hasCurrent(request: Request, tag: string): boolean {
  if (!isConditional(request)) return false
  const tags = request.headers.get('if-none-match')!.split(',')
  return tags.some((one) => one.trim() === '*' || opaque(one.trim()) === opaque(tag))
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}
