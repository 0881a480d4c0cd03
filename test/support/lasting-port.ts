import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free port of this machine for a program that is yet to start, the one after it being free for another one. Below those
 * that connections take for themselves, so that it stays free until then and from one start to the next.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const candidate = 20_000 + 2 * Math.floor(Math.random() * 5_000)
    if ((await isFree(candidate)) && (await isFree(candidate + 1))) return candidate
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}
