/** Nothing of it is seen: white space, and characters such as U+200B. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text)
}

export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text)
}

/** Mail programs make a link of such a name, and an email from us would carry it to anybody. */
export function hasNoLink(name: string): boolean {
  const seen = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return !/:\/\/|www\./i.test(seen)
}

export function hasNoNul(text: string): boolean {
  return !text.includes('\0')
}

/** The same for every text in a JSON value, names of fields included. */
export function hasNoNulWithin(value: unknown): boolean {
  // An escape begins behind an even number of backslashes.
  return !/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(value))
}
