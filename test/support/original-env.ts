import { env } from 'cloudflare:workers'

const original = { ...env } as Readonly<Record<string, unknown>>

/** Takes back what tests have set. */
export function restoreEnv(): void {
  for (const name of Object.keys(env)) if (!(name in original)) Reflect.deleteProperty(env, name)
  Object.assign(env, original)
}
