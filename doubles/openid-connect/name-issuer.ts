import { createHash } from 'node:crypto'
import type { Person, Provider } from './state.ts'

/** The `iss` of a person's tokens. */
export function issuerFor({ frame, settings }: Provider, person: Person): string {
  return frame.base + settings.issuerPath.replace('{tenantid}', tenantOf(person))
}

/** What accounts of no organization have for a tenant: learn.microsoft.com/entra/identity-platform/id-token-claims-reference */
export const NO_ORGANIZATION = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Of Microsoft Entra: the tenant is that of the login's domain unless the person has another, whatever their address says. */
export function tenantOf({ login, claims }: Person): string {
  if (claims.tid) return claims.tid
  const domain = login.split('@')[1] ?? ''
  return /^(outlook|hotmail|live|msn)\./.test(domain) ? NO_ORGANIZATION : idFrom(`tenant ${domain}`)
}

/** Always the same of the same text, and looks like one of Entra. */
export function idFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
