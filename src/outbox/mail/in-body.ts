/** A name as the body of an email has it: behind U+2060, which nobody sees, mail programs find no address to make a link of. */
export function inBody(name: string): string {
  return name.replace(/(?<=[^\s.])\.(?=\p{L})|@/gu, '$&\u2060')
}
