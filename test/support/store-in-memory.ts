import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const NAME = 'holdfast-tests-'
/** Several times what all tests together have stored at once. */
const NEEDED_BYTES = 2 * 2 ** 30

/**
 * Lets what tests store be kept in memory, where the system has such a place with room for it: nothing of it outlives them,
 * and a database waits for the disk with each change.
 */
export function storeInMemory(): void {
  if (!hasRoom()) return
  for (const left of readdirSync(IN_MEMORY).filter((name) => name.startsWith(NAME))) {
    if (!isRunning(Number(left.slice(NAME.length)))) remove(join(IN_MEMORY, left))
  }
  const directory = join(IN_MEMORY, `${NAME}${process.pid}`)
  mkdirSync(directory, { recursive: true })
  process.env.TMPDIR = directory
  process.once('exit', () => remove(directory))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}

/** Whoever was killed removed nothing. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}
