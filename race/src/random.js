/**
 * A repeatable source: the same seed gives the same storm (mulberry32).
 *
 * @param {number} seed
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  /** @param {number} below */
  const below = (below) => Math.floor(next() * below)
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[below(list.length)])
  /** @template T @param {readonly T[]} list @returns {T[]} */
  const shuffle = (list) => {
    const rest = [...list]
    for (let at = rest.length - 1; at > 0; at--) {
      const other = below(at + 1)
      const one = /** @type {T} */ (rest[at])
      rest[at] = /** @type {T} */ (rest[other])
      rest[other] = one
    }
    return rest
  }
  return { next, below, pick, shuffle }
}

/** @typedef {ReturnType<typeof randomFrom>} Random */
