import { env } from 'cloudflare:workers'
import { unseal } from '../../src/platform/auth/secret.ts'
import type { Email } from '../../src/platform/email/email-sender.ts'

/** The letters to an address that were written, in the order they were posted. */
export async function lettersTo(email: string): Promise<Email[]> {
  const select = "SELECT message FROM posted_letters WHERE recipient = ? AND kind = 'ready' ORDER BY id"
  const { results } = await env.DB.prepare(select).bind(email).all<{ message: string }>()
  return Promise.all(
    results.map(async ({ message }) => JSON.parse(await unseal(env.ENCRYPTION_KEY, message)) as Email),
  )
}
