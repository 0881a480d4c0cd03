/** A name for the body of an email. The invisible U+2060 keeps mail programs from turning it into a link. */
export function inBody(name: string): string {
  return name.replace(/(?<=[^\s.])\.(?=\p{L})|@/gu, '$&\u2060')
}
