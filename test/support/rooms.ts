import { call } from './app.ts'
import { unique } from './factories.ts'

/** A new room, or whatever `input` says. */
export async function createRoom(key: string, input: Record<string, unknown> = {}): Promise<any> {
  const { status, body } = await call('POST', '/v1/resources', {
    key,
    body: { name: unique('Room'), ...input },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
