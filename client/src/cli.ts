#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listen } from './listen.ts'
import { signWebhook } from './webhooks.ts'

const USAGE = `holdfast listen <url> --base-url <address of the service>

Posts every event of your sandbox to a receiver on your machine, signed as webhooks are.

  HOLDFAST_KEY             a test key (hf_test_…), in the environment
  HOLDFAST_WEBHOOK_SECRET  whsec_… that signs; one is made up without it
  --base-url               where the service is; HOLDFAST_BASE_URL otherwise
  --state <file>           remembers what was delivered (.holdfast-listen.json)
  --after <sequence>       begins after this event instead`

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function parse() {
  try {
    const options = {
      'base-url': { type: 'string' },
      state: { type: 'string', default: '.holdfast-listen.json' },
      after: { type: 'string' },
      help: { type: 'boolean' },
    } as const
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`)
  }
}

/** Where the last runs ended, by service and key; nothing when there was none. */
function recall(file: string): Record<string, number> {
  try {
    const places = JSON.parse(readFileSync(file, 'utf8'))
    return Object.prototype.toString.call(places) === '[object Object]' ? places : {}
  } catch {
    return {}
  }
}

function remember(file: string, places: Record<string, number>): void {
  try {
    writeFileSync(file, JSON.stringify(places))
  } catch (error) {
    fail(`What was delivered cannot be remembered: ${(error as Error).message}`)
  }
}

function addressOf(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text) ? text : fail(`${text} is no http address.`)
}

const { values, positionals } = parse()
const [command, url] = positionals
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
if (command !== 'listen' || !url) fail(USAGE)
const receiver = addressOf(url)
const baseUrl = addressOf(
  values['base-url'] ?? process.env.HOLDFAST_BASE_URL ?? fail(`Say where the service is.\n\n${USAGE}`),
)
const key = process.env.HOLDFAST_KEY ?? fail(`Put a test key into HOLDFAST_KEY.\n\n${USAGE}`)
if (!key.startsWith('hf_test_')) fail('Only a test key listens: live events go to verified webhooks.')
if (values.after !== undefined && !/^\d+$/.test(values.after)) fail('--after takes a whole number.')

const given = process.env.HOLDFAST_WEBHOOK_SECRET
const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`
await signWebhook('', { id: '', timestampSeconds: 0, secret }).catch((error: Error) => fail(error.message))
if (given === undefined) console.log(`Signing with ${secret}`)
const name = `${baseUrl} ${key.slice(0, 12)}`
const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())

console.log(`Posting events to ${receiver}; Ctrl-C ends it.`)
await listen({
  url: receiver,
  baseUrl,
  key,
  secret,
  after: values.after === undefined ? (recall(values.state)[name] ?? null) : Number(values.after),
  remember: (sequence) => remember(values.state, { ...recall(values.state), [name]: sequence }),
  say: (line) => console.log(line),
  signal: controller.signal,
}).catch((error: Error) => fail(error.message))
