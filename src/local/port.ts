import { createServer } from 'node:net'
import { Failure } from './failure.ts'

/** Refuses a port that another program listens on, at either address of `localhost`. */
export async function assertPortIsFree(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    if (await isBusy(port, host)) {
      throw new Failure(
        `Port ${port} is in use, perhaps by another npm start. Stop it, or take another port: PORT=${port + 1} npm start`,
      )
    }
  }
}

function isBusy(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return resolve(true)
      // A machine without IPv6 has no such address.
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return resolve(false)
      reject(new Failure(`Cannot listen on port ${port}: ${error.message}`))
    })
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}
