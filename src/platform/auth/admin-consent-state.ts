import { DAY_MS } from '../../core/time-units.ts'
import { openSealed, sealUntil } from './seal-until.ts'

/** What comes back with an administrator who agreed for an organization at a provider, or did not. */
type AdminConsentState = {
  readonly organizationId: string
  readonly provider: string
  /** Where the administrator is sent in the end; null when the caller named nothing. */
  readonly redirectUrl: string | null
}

const PURPOSE = 'admin-consent'
/** The link is sent to somebody else, who takes their time. Nothing is connected by it. */
const LIFETIME_MS = 30 * DAY_MS

export function sealAdminConsentState(
  encryptionKey: string,
  state: AdminConsentState,
  now: number,
): Promise<string> {
  return sealUntil(encryptionKey, PURPOSE, state, now + LIFETIME_MS)
}

/** Null when it is not ours, for another provider, or older than thirty days. */
export async function openAdminConsentState(
  encryptionKey: string,
  sealed: string,
  provider: string,
  now: number,
): Promise<AdminConsentState | null> {
  const state = await openSealed<AdminConsentState>(encryptionKey, PURPOSE, sealed, now)
  return state?.provider === provider ? state : null
}
