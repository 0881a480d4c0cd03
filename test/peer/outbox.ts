import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'

const EVERY_MS = 1_000
const AT_ONCE = 100

const TAKE = `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING booking_id`
const READ = 'SELECT id, span, invitee_name, invitee_email FROM bookings WHERE id = ANY($1)'

/** Sends an email for each event: to a file, as the local runtime does with the emails of a Worker. */
export function startOutbox(pool: Pool, directory: string): void {
  const send = async () => {
    for (;;) {
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        const { rows: taken } = await client.query<{ booking_id: string }>({ name: 'take', text: TAKE })
        const ids = taken.map(({ booking_id }) => booking_id)
        const { rows } = await client.query({ name: 'read', text: READ, values: [ids] })
        await Promise.all(
          rows.map(({ id, span, invitee_name, invitee_email }) =>
            writeFile(
              join(directory, id),
              `To: ${invitee_email}\n\nHello ${invitee_name}, see you at ${span}.\n`,
            ),
          ),
        )
        await client.query('COMMIT')
        if (taken.length < AT_ONCE) return
      } finally {
        client.release()
      }
    }
  }
  const run = () =>
    send()
      .catch(ifMade)
      .finally(() => setTimeout(run, EVERY_MS))
  setTimeout(run, EVERY_MS)
}

/** While the tables of a round are made, there is nothing to send. */
function ifMade(error: { readonly code?: string }): void {
  if (error.code !== '42P01') throw error
}
