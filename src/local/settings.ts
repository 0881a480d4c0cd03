import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { keysIn } from '../env.ts'
import { Failure } from './failure.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DEFAULT_PORT = 8787

export type Settings = {
  readonly root: string
  readonly port: number
  readonly url: string
  /** Where the local database and objects are kept. */
  readonly stateDirectory: string
  /** What is remembered beside them: the API shows a key only once. */
  readonly demoFile: string
  readonly serviceKey: string
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const port = readPort(env.PORT)
  const stateDirectory = resolve(ROOT, env.HOLDFAST_STATE || '.wrangler/state')
  return {
    root: ROOT,
    port,
    url: `http://localhost:${port}`,
    stateDirectory,
    demoFile: join(stateDirectory, 'demo.json'),
    serviceKey: readServiceKey(join(ROOT, '.dev.vars')),
  }
}

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : DEFAULT_PORT
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Failure(`PORT=${text} is not a valid port.`)
  return port
}

/** The newest, where the file lists several. */
export function readServiceKey(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Failure('There is no .dev.vars, which holds the secrets for this machine: restore it with git.')
  }
  const [key] = keysIn(parseEnv(text).SERVICE_KEY ?? '')
  if (!key) throw new Failure('.dev.vars has no SERVICE_KEY, so the demo cannot be seeded.')
  return key
}
