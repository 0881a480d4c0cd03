import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LocalServer = { readonly url: string; stop(): Promise<void> }

/** A server on this machine, at a free port unless told, whose end cuts off whoever is still connected. */
export async function startServer(answer: RequestListener, port = 0): Promise<LocalServer> {
  const server = createServer(answer)
  // Whoever is held up by a busy machine finds their connection as it was.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
