/*
 * Some addresses end in 64 hexadecimal digits. One that leads to a shard beyond the first has one more, which is the shard.
 */

const LENGTH = 64

export function shardDigit(shard: number): string {
  return shard === 0 ? '' : shard.toString(16)
}

export function shardOfDigits(digits: string): number {
  return Number.parseInt(digits[LENGTH] ?? '0', 16)
}

/** The digits alone. */
export function withoutShard(digits: string): string {
  return digits.slice(0, LENGTH)
}
