import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answering, end } from './answering.ts'
import { CALDAV_USERS } from './caldav.ts'
import { lastingPort } from './lasting-port.ts'

export type Xandikos = {
  readonly url: string
  /** Of ada, who is the only user. */
  readonly calendars: { readonly first: string; readonly second: string }
  stop(): Promise<void>
}

/**
 * A second real CalDAV server on a free port of this machine, with two calendars. It keeps them in Git, tells its sync
 * tokens as hashes and whoever may write `{DAV:}all`. Fails where there is no `xandikos`.
 */
export async function startXandikos(): Promise<Xandikos> {
  const folder = await mkdtemp(join(tmpdir(), 'xandikos-'))
  const port = await lastingPort()
  const child = spawn(
    'xandikos',
    ['-d', folder, '-l', '127.0.0.1', '-p', String(port), '--current-user-principal', '/ada/', '--defaults'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const door = findCaller(port)
  const stop = async () => {
    door.closeAllConnections()
    door.close()
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answering(child, `http://127.0.0.1:${port}`, 'xandikos')
    await makeCalendar(`http://127.0.0.1:${port}/ada/calendars/second/`)
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  } catch (error) {
    await stop()
    throw error
  }
  const address = door.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
  const home = `${url}/ada/calendars`
  return { url, calendars: { first: `${home}/calendar/`, second: `${home}/second/` }, stop }
}

/** Xandikos asks nobody who they are: that is for a server in front of it. */
function findCaller(port: number) {
  const { username, password } = CALDAV_USERS.ada
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return createServer((incoming, outgoing) => {
    if (incoming.headers.authorization !== expected) {
      outgoing.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Xandikos"', Connection: 'close' })
      return outgoing.end()
    }
    const { method, url, headers } = incoming
    const behind = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    behind.on('error', () => outgoing.destroy())
    incoming.pipe(behind)
  })
}

async function makeCalendar(url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'MKCALENDAR',
    headers: { 'Content-Type': 'application/xml' },
    body: '<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop><d:displayname>Second</d:displayname></d:prop></d:set></c:mkcalendar>',
  })
  if (response.status !== 201) throw new Error(`Xandikos makes no calendar: ${await response.text()}`)
}
