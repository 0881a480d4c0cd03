import Fastify from 'fastify'
import pg from 'pg'
import { addAvailability } from './availability.ts'
import { addBookings, addKeptBookings } from './bookings.ts'
import { startOutbox } from './outbox.ts'

// A plain service with a database: what Holdfast is measured beside. A line on standard output says where it listens.

const [url, emails, locks] = process.argv.slice(2) as [string, string, string?]
const pool = new pg.Pool({ connectionString: url, max: 10 })
const app = Fastify({ logger: false })
addAvailability(app, pool)
addBookings(app, pool, locks === 'locks')
addKeptBookings(app, pool)
app.get('/health', async () => ({ status: 'ok' }))
app.get('/pending', async () => {
  const { rows } = await pool.query<{ pending: number }>('SELECT count(*)::int AS pending FROM outbox')
  return rows[0]
})
startOutbox(pool, emails)
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
