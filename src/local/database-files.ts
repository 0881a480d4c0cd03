import { createHash, createHmac } from 'node:crypto'
import { join } from 'node:path'

const KIND = 'miniflare-D1DatabaseObject'

/** The file of a local database that the runtime knows as `name`: it keeps each in an object, and calls the file by its id. */
export function databaseFile(stateDirectory: string, name: string): string {
  return join(stateDirectory, 'v3/d1', KIND, `${objectId(name)}.sqlite`)
}

function objectId(name: string): string {
  const key = createHash('sha256').update(KIND).digest()
  const half = (of: string | Buffer) => createHmac('sha256', key).update(of).digest().subarray(0, 16)
  const named = half(name)
  return Buffer.concat([named, half(named)]).toString('hex')
}
