import { keysIn } from '../../env.ts'
import { isSameSecret } from './secret.ts'

/** Compares with every service key, so that the time it takes does not reveal which one was close. */
export async function isServiceKey(given: string, configured: string): Promise<boolean> {
  const matches = await Promise.all(keysIn(configured).map((key) => isSameSecret(given, key)))
  return matches.includes(true)
}
