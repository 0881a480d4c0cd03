import type { ChildProcess } from 'node:child_process'

/** Waits until a server that was just started answers anything. Fails if its package is not installed. */
export async function answering(child: ChildProcess, url: string, name: string): Promise<void> {
  let said = ''
  child.stderr!.on('data', (piece) => {
    said = `${said}${piece}`.slice(-2000)
  })
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  for (let attempt = 0; attempt < 300; attempt++) {
    if (failure !== null)
      throw new Error(`It does not start: install the package ${name}`, { cause: failure })
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
    const isUp = await fetch(`${url}/`, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${name} does not answer: ${said}`)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(timer)
}
