import { DAY_MS } from '../scheduling/time-units.ts'
import { seal, unseal } from './secret.ts'

/** What comes back with an administrator who agreed for an organization at a provider, or did not. */
export type AdminConsentState = {
  readonly organizationId: string
  readonly provider: string
  /** Where the administrator is sent in the end; null when the caller named nothing. */
  readonly redirectUrl: string | null
}

/** Other texts are sealed with the same key, so this one says what it is. */
type Sealed = AdminConsentState & { readonly purpose?: string; readonly expiresAt: number }

const PURPOSE = 'admin-consent'
/** The link is sent to somebody else, who takes their time. Nothing is connected by it. */
const LIFETIME_MS = 30 * DAY_MS

export function sealAdminConsentState(
  encryptionKey: string,
  state: AdminConsentState,
  now: number,
): Promise<string> {
  const sealed: Sealed = { ...state, purpose: PURPOSE, expiresAt: now + LIFETIME_MS }
  return seal(encryptionKey, JSON.stringify(sealed))
}

/** Null when it is not ours, for another provider, or older than thirty days. */
export async function openAdminConsentState(
  encryptionKey: string,
  sealed: string,
  provider: string,
  now: number,
): Promise<AdminConsentState | null> {
  try {
    const { purpose, expiresAt, ...state } = JSON.parse(await unseal(encryptionKey, sealed)) as Sealed
    const { organizationId, redirectUrl } = state
    const isGood = purpose === PURPOSE && state.provider === provider && now < expiresAt
    return isGood ? { organizationId, provider, redirectUrl } : null
  } catch {
    return null
  }
}
