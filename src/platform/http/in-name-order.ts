/** The same value with the names of every object in one order, so that different spellings of one object are equal. */
export function inNameOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inNameOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, inNameOrder(inner)]))
}
