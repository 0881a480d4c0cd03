/** What is wrong with a text that people type, as its schema says it. */
export const NOT_ONE_LINE = 'Must be one line without control characters, such as tabs.'
export const HAS_NUL = 'Must not contain the character U+0000.'

export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text)
}

export function hasNoNul(text: string): boolean {
  return !text.includes('\0')
}
