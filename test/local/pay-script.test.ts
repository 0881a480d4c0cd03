import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'

const SCRIPT = readFileSync(join(import.meta.dirname, '../../public/assets/pay.js'), 'utf8')

/** What the page's script asks of the provider's, with what the page says in the form's data. */
async function openForm(dataset: Record<string, string>, loaded: unknown[] = []) {
  const asked: unknown[][] = []
  const elements = { create: () => ({ mount: () => {} }) }
  class HTMLFormElement {
    readonly dataset = dataset
    querySelector() {
      return { setAttribute() {}, getAttribute: () => null }
    }
    addEventListener() {}
  }
  const form = new HTMLFormElement()
  const Stripe = (...told: unknown[]) => {
    asked.push(told)
    return {
      elements: (given: unknown) => {
        asked.push([given])
        return elements
      },
    }
  }
  const window = { Stripe }
  const document = {
    documentElement: { dataset: {} },
    getElementById: (id: string) => (id === 'pay' ? form : { textContent: '' }),
    createElement: () => ({}),
    head: {
      append: (script: { src?: string; onload?: () => void }) => {
        loaded.push(script.src)
        script.onload?.()
      },
    },
  }
  runInNewContext(SCRIPT, { HTMLFormElement, document, window, matchMedia: () => ({ matches: false }) })
  await new Promise((done) => setImmediate(done))
  return asked
}

const DATA = { key: 'pk_test_1', secret: 'pi_1_secret_2', next: 'https://x.test/', language: 'de' }

it('opens the form in the account that is paid', async () => {
  const [provider, form] = await openForm({ ...DATA, account: 'acct_2' })
  expect(provider).toEqual(['pk_test_1', { locale: 'de', stripeAccount: 'acct_2' }])
  expect(form).toMatchObject([{ clientSecret: 'pi_1_secret_2' }])
})

it('opens that of a payment of earlier days without an account', async () => {
  const [provider] = await openForm(DATA)
  expect(provider).toEqual(['pk_test_1', { locale: 'de' }])
})

it('loads the script of the provider, or the one that the page names', async () => {
  const loaded: unknown[] = []
  await openForm(DATA, loaded)
  await openForm({ ...DATA, script: 'http://127.0.0.1:4000/v3/' }, loaded)
  expect(loaded).toEqual(['https://js.stripe.com/v3/', 'http://127.0.0.1:4000/v3/'])
})
