import { Failure } from './failure.ts'

/**
 * Connects an account of a double as its owner would in a browser: says yes on the provider's page, then on that of the
 * service, which is at `service`.
 */
export async function giveConsent(authorization: string, as: string, service: string): Promise<void> {
  const asking = new URL(authorization)
  asking.searchParams.set('as', as)
  const back = (await fetch(asking, { redirect: 'manual' })).headers.get('Location')
  if (back === null) throw new Failure('The double did not give consent.')
  const { pathname, search } = new URL(back)
  // The service says where it is reached, and may be reached elsewhere here.
  const callback = service + pathname
  const page = await (await fetch(callback + search)).text()
  const grant = /name="grant" value="([^"]+)"/.exec(page)?.[1]
  if (!grant) throw new Failure(`The page that asks for consent has no form: ${page}`)
  const form = new URLSearchParams({ grant, answer: 'connect' })
  const { status } = await fetch(callback, { method: 'POST', body: form })
  if (status >= 400) throw new Failure(`The pretend account could not be connected: ${status}.`)
}
