/** `a, b or c`. */
export function listed(words: readonly string[], or = 'or'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${or} ${words.at(-1)}`
}

/** `2 hours`: minutes in the largest unit that divides them; `units` are those of days, hours and minutes. */
export function spanOf(minutes: number, units: readonly (readonly [one: string, other: string])[]): string {
  const at = [1_440, 60, 1].findIndex((size) => minutes % size === 0)
  const count = minutes / [1_440, 60, 1][at]!
  return `${count} ${units[at]![count === 1 ? 0 : 1]}`
}
