/** Segments of our own addresses, and nothing that a browser could read as another host. */
const OURS = /^\/console(\/[A-Za-z0-9_-]+)*$/

/** Where in the console somebody goes on; everything else than one of its own paths is its beginning. */
export function nextPath(asked: string | null | undefined): `/console${string}` {
  const isOurs = asked != null && asked.length <= 200 && OURS.test(asked)
  return isOurs && !/^\/console\/(sign-|link)/.test(asked) ? (asked as `/console${string}`) : '/console'
}
