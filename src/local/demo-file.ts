import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

type Keys = { readonly live?: string; readonly test?: string }

/** The keys that an earlier start showed; none when the file cannot be read. */
export function recallKeys(file: string): Keys {
  try {
    const { live, test } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return { ...(typeof live === 'string' && { live }), ...(typeof test === 'string' && { test }) }
  } catch {
    return {}
  }
}

export function rememberKeys(file: string, keys: Keys): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
}
