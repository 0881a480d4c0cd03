import type { openRuntime } from './service.ts'

const SCRIPT = `import { WorkerEntrypoint } from 'cloudflare:workers'
const letters = []
export class Mailbox extends WorkerEntrypoint {
  // An invitation comes as a raw message, which nobody looks for here.
  async send({ to, subject = '', text = '' }) { letters.push({ to, subject, text }) }
}
export default { fetch: () => Response.json(letters) }`

/** A worker that takes all letters instead of a mail system. */
export const MAILBOX = {
  name: 'mailbox',
  compatibilityDate: '2026-01-01',
  modules: [{ type: 'ESModule' as const, path: 'mailbox.js', contents: SCRIPT }],
}
/** Binds it to a service that runs beside it. */
export const TO_MAILBOX = {
  email: {},
  serviceBindings: { EMAIL: { name: 'mailbox', entrypoint: 'Mailbox' } },
}

type Runtime = Awaited<ReturnType<typeof openRuntime>>
type Taken = { readonly to: string; readonly subject: string; readonly text: string }

/** The last letter to an address, as soon as there is one that `isIt`. */
export async function letterIn(
  runtime: Runtime,
  to: string,
  isIt: (letter: Taken) => boolean = () => true,
): Promise<string> {
  const url = await runtime.unsafeGetDirectURL('mailbox')
  for (let tries = 0; tries < 600; tries++) {
    const letters = (await (await fetch(url)).json()) as Taken[]
    const found = letters.findLast((letter) => letter.to === to && isIt(letter))
    if (found) return found.text
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`no letter to ${to}`)
}
