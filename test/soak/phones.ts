import { startDoubles } from '../../doubles/start-doubles.ts'
import { openTwilio } from '../../doubles/twilio/open-twilio.ts'
import type { Trouble } from '../../doubles/world.ts'
import { startServer, textOf } from '../support/local-server.ts'
import type { Json } from './caller.ts'
import type { Draws } from './operation.ts'

export type Phones = Awaited<ReturnType<typeof openPhones>>

const SENDER = '+15005550006'
const HOP_BY_HOP = /^(host|connection|content-length)$/

/**
 * The double of the provider of text messages. It reports to a server in front of the service, whose address stays the same when
 * the service starts again; what it reports while no process runs is lost.
 */
export async function openPhones(serviceUrl: () => string) {
  const doubles = await startDoubles({ twilio: openTwilio })
  const url = `${doubles.url}/twilio/soak`
  const front = await startServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.test(name)) as [
      string,
      string,
    ][]
    const { method = 'GET' } = request
    const body = method === 'GET' ? null : await textOf(request)
    try {
      const answer = await fetch(new URL(request.url!, serviceUrl()), { method, headers, body })
      response.writeHead(answer.status).end(await answer.text())
    } catch {
      response.writeHead(502).end()
    }
  })
  const control = async (method: string, path = '', body?: unknown): Promise<any> => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/control${path}`, { method, ...given })
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }
  const numbers = [{ number: SENDER, inboundUrl: `${front.url}/v1/sms/twilio/inbound`, isSmsCapable: true }]
  await control('PUT', '/registration', { numbers })
  return {
    stop: async () => {
      await Promise.all([doubles.stop(), front.stop()])
    },
    /** What the service is set to. */
    settings: {
      PUBLIC_URL: front.url,
      TWILIO_API_BASE: url,
      TWILIO_ACCOUNT_SID: `AC${'d0'.repeat(16)}`,
      TWILIO_AUTH_TOKEN: 'double-auth-token-of-32-letters1',
      TWILIO_FROM: SENDER,
    },
    /** One of the next texts is refused for a moment, before or after it is sent. */
    trouble: async ({ below }: Draws): Promise<void> => {
      const trouble: Trouble = {
        about: 'POST /2010-04-01/',
        does: 'answers',
        status: 503,
        isCarriedOut: below(2) === 0,
      }
      await control('PUT', '/troubles', [trouble])
    },
    calm: () => control('DELETE', '/troubles'),
    /** How many texts each number got. */
    texts: async (): Promise<ReadonlyMap<string, number>> => {
      const { messages } = await control('GET')
      const byNumber = Map.groupBy(messages as Json[], ({ to }) => to as string)
      return new Map([...byNumber].map(([number, all]) => [number, all.length]))
    },
  }
}
