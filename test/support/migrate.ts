import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { emptyDatabase } from './empty-database.ts'
import { makeTables } from './make-tables.ts'
import { restoreEnv } from './original-env.ts'
import { refuseLikeProduction } from './refuse-like-production.ts'

// Files share a runtime, whose start costs more than most of them. What a file set and stored goes before the next one.
restoreEnv()
refuseLikeProduction()
Object.assign(env, { STRIPE_API_BASE: `${inject('worlds')}/stripe/${crypto.randomUUID()}` })
await emptyDatabase()
await makeTables()
