/**
 * The present as one side of an organization sees it: the sandbox may have a clock of its own, which stands
 * still until it is set again; live data always follows the real one.
 */
export function presentOf(isTest: boolean, sandboxNow: number | null, now: number): number {
  return isTest && sandboxNow !== null ? sandboxNow : now
}
