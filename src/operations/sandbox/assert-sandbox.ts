import type { TenantCaller } from '../../platform/auth/caller.ts'
import { Refused } from '../../platform/http/errors.ts'

/** The sandbox's own endpoints touch nothing live, so a live caller is refused. */
export function assertSandbox({ isTest }: TenantCaller): void {
  if (isTest) return
  throw new Refused({ code: 'forbidden', message: 'Test data belongs to test mode: use a test key.' })
}
