/**
 * Whether the password for `from` may be sent to `to`: the same host and port, never less encrypted, or over https a host below
 * it, or one like iCloud's `p42-caldav.icloud.com` beside `caldav.icloud.com`. Other neighbours may have other owners
 * (`example.co.uk`).
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
