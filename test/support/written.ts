import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { soon } from './connected.ts'

/** What is known of the event of a booking or session. */
export async function writeOf(holderId: string): Promise<any> {
  return env.DB.prepare('SELECT * FROM calendar_writes WHERE holder_id = ?').bind(holderId).first()
}

/** The same once it is in the calendar and nothing is left to do. */
export function isWritten(holderId: string): Promise<any> {
  return soon(async () => {
    const row = await writeOf(holderId)
    expect(row).toMatchObject({ status: 'written', claimed_until: null, next_attempt_at: null })
    return row
  })
}
