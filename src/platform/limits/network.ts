/**
 * The network that a caller counts under: an IPv4 address, or the /64 of an IPv6 address, of which one customer has many. All
 * spellings of an address give the same text; everything that is not an address is one network.
 */
export function networkOf(address: string | null): string {
  const bytes = address === null ? null : bytesOf(address)
  if (bytes) return bytes.join('.')
  const groups = address === null ? null : groupsOfIpv6(address)
  if (!groups) return 'unknown'
  if (isMappedIpv4(groups))
    return [groups[6]!, groups[7]!].flatMap((pair) => [pair >> 8, pair & 255]).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const MAPPED = [0, 0, 0, 0, 0, 0xffff] as const

/** `::ffff:a.b.c.d` is an IPv4 address as an IPv6 socket sees it (RFC 4291, section 2.5.5.2). */
function isMappedIpv4(groups: readonly number[]): boolean {
  return MAPPED.every((group, at) => groups[at] === group)
}

/** The eight groups of an address in any of the spellings of RFC 4291, section 2.2; a zone is left out. */
function groupsOfIpv6(text: string): readonly number[] | null {
  const [head = '', tail, ...more] = text.replace(/%.*$/, '').split('::')
  if (more.length > 0) return null
  const before = readGroups(head, tail === undefined)
  const after = tail === undefined ? [] : readGroups(tail, true)
  if (!before || !after) return null
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...before, ...new Array<number>(missing).fill(0), ...after]
}

/** Only the end of an address may be written as an IPv4 one. */
function readGroups(text: string, isEnd: boolean): readonly number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const ending = isEnd ? bytesOf(parts.at(-1)!) : null
  const groups = ending ? parts.slice(0, -1) : parts
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null
  return [...groups.map((group) => Number.parseInt(group, 16)), ...(ending ? pairsOf(ending) : [])]
}

function bytesOf(text: string): readonly number[] | null {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  return bytes?.every((byte) => byte <= 255) ? bytes : null
}

function pairsOf([a, b, c, d]: readonly number[]): readonly number[] {
  return [(a! << 8) | b!, (c! << 8) | d!]
}
