/**
 * Whether the password of an account at `from` may go to `to` too: to the same host (and port, and
 * never less encrypted), or over https a host below it (`caldav.example.com` of `example.com`) or one beside it
 * whose name only has something put before it (iCloud's `p42-caldav.icloud.com` of `caldav.icloud.com`). Any
 * neighbour would be too much: on `example.co.uk` or `me.github.io` those belong to others.
 */
export function isSameServer(from: URL, to: URL): boolean {
  if (to.protocol !== 'https:' && to.protocol !== from.protocol) return false
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:'
  if (from.port !== to.port) return false
  if (from.hostname === to.hostname) return true
  if (to.protocol !== 'https:' || isUpgrade || to.port !== '') return false
  return isBelow(from.hostname, to.hostname) || isBeside(from.hostname, to.hostname)
}

function isBelow(host: string, other: string): boolean {
  return other.endsWith(`.${host}`)
}

function isBeside(host: string, other: string): boolean {
  const [first, ...parent] = host.split('.')
  const [otherFirst, ...otherParent] = other.split('.')
  return (
    parent.length >= 2 &&
    parent.join('.') === otherParent.join('.') &&
    // Both ways: an account's own host was found through the common one, and may name it.
    (otherFirst!.endsWith(`-${first}`) || first!.endsWith(`-${otherFirst}`))
  )
}
