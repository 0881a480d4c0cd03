/*
 * The token of a feed is 64 hexadecimal digits, which are random. One that leads to a shard beyond the first has one more, which
 * is the shard.
 */

const RANDOM_LENGTH = 64

export function shardDigit(shard: number): string {
  return shard === 0 ? '' : shard.toString(16)
}

export function shardOfFeed(token: string): number {
  return Number.parseInt(token[RANDOM_LENGTH] ?? '0', 16)
}
