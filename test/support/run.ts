import { env } from 'cloudflare:workers'

/** Runs a statement that tests write into the database themselves. */
export function run(query: string, ...values: unknown[]) {
  return env.DB.prepare(query)
    .bind(...values)
    .run()
}
