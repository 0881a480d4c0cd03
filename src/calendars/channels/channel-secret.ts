import { isTokenFor, tokenFor } from '../../platform/auth/secret.ts'
import { newId } from '../../platform/db/ids.ts'

const subject = (nonce: string) => `calendar-channel/${nonce}`

/**
 * The secret that every notification of a channel must have. It is signed, so that invented ones are rejected without a query.
 */
export async function newChannelSecret(encryptionKey: string, connectionId: string): Promise<string> {
  const nonce = newId(connectionId)
  return `${nonce}.${await tokenFor(encryptionKey, subject(nonce))}`
}

/** Whether this service gave it out, for whichever channel. */
export async function isChannelSecret(encryptionKey: string, secret: string): Promise<boolean> {
  const at = secret.indexOf('.')
  return at > 0 && isTokenFor(encryptionKey, subject(secret.slice(0, at)), secret.slice(at + 1))
}
