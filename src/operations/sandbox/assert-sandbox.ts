import type { TenantCaller } from '../../platform/auth/caller.ts'
import { refuse } from '../../platform/http/errors.ts'

/** The sandbox's own endpoints touch nothing live, so a live caller is refused. */
export function assertSandbox({ isTest }: TenantCaller): void {
  if (isTest) return
  throw refuse('needs_test_key')
}
