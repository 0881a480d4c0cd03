import { seal, unseal } from './secret.ts'

/** Other texts are sealed with the same key, so each says what it is. */
type Label = { readonly purpose?: string; readonly expiresAt?: number }

export function sealUntil(
  encryptionKey: string,
  purpose: string,
  value: object,
  expiresAt: number,
): Promise<string> {
  return seal(encryptionKey, JSON.stringify({ ...value, purpose, expiresAt }))
}

/** Null when it is not ours, for another purpose, or its time is over. */
export async function openSealed<T extends object>(
  encryptionKey: string,
  purpose: string,
  sealed: string,
  now: number,
): Promise<T | null> {
  try {
    const opened = JSON.parse(await unseal(encryptionKey, sealed)) as T & Label
    const { purpose: theirs, expiresAt, ...value } = opened
    return theirs === purpose && expiresAt !== undefined && now < expiresAt ? (value as unknown as T) : null
  } catch {
    return null
  }
}
