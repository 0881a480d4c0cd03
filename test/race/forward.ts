import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** One address for a service whose port changes with each start. */
export async function forward() {
  let port = 0
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (url: string) => {
      port = Number(new URL(url).port)
    },
    stop: () => void server.close(),
  }
}
