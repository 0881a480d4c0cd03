/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function chance(seed: number) {
  let state = seed
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(roll() * count)
  return { roll, below, pick: <T>(from: readonly T[]): T => from[below(from.length)]! }
}
