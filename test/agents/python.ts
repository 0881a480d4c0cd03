import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Kind } from './clients.ts'

const VERSION = '2.3.0'
/** Beside the other packages of this folder, which are not committed either. */
const PACKAGES = join(import.meta.dirname, 'node_modules/.python')

/** Whether the official client for Python is there or could be installed; null on a machine without pip. */
export function installPython(): boolean | null {
  if (existsSync(join(PACKAGES, 'mcp'))) return true
  if (spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status !== 0) return null
  const args = ['-m', 'pip', 'install', '--quiet', '--target', PACKAGES, `mcp==${VERSION}`]
  return spawnSync('python3', args, { stdio: 'inherit' }).status === 0
}

export const PYTHON: Kind = {
  name: `Python mcp ${VERSION}`,
  connect: async ({ url, key }) => {
    const args = [join(import.meta.dirname, 'client.py'), url, ...(key === null ? [] : [key])]
    const env = { ...process.env, PYTHONPATH: PACKAGES }
    const client = spawn('python3', args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
    const ask = async (question: unknown) => {
      client.stdin.write(`${JSON.stringify(question)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('The client ended.')
      return JSON.parse(value)
    }
    return {
      toolNames: () => ask({}),
      call: (name, args) => ask({ call: name, args }),
      close: async () => void client.stdin.end(),
    }
  },
}
