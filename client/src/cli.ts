#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listen } from './listen.ts'

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

/** Where the last run of this key ended; null when there was none. */
function recall(file: string, name: string): number | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))[name] ?? null
  } catch {
    return null
  }
}

const { values, positionals } = parse()
const [command, url] = positionals
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
if (command !== 'listen' || !url) fail(USAGE)
if (!URL.canParse(url)) fail(`${url} is no address.`)
const baseUrl =
  values['base-url'] ?? process.env.HOLDFAST_BASE_URL ?? fail(`Say where the service is.\n\n${USAGE}`)
const key = process.env.HOLDFAST_KEY ?? fail(`Put a test key into HOLDFAST_KEY.\n\n${USAGE}`)
if (!key.startsWith('hf_test_')) fail('Only a test key listens: live events go to verified webhooks.')
if (values.after !== undefined && !/^\d+$/.test(values.after)) fail('--after takes a whole number.')

const given = process.env.HOLDFAST_WEBHOOK_SECRET
const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`
if (given === undefined) console.log(`Signing with ${secret}`)
const name = `${baseUrl} ${key.slice(0, 12)}`
const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())

console.log(`Posting events to ${url}; Ctrl-C ends it.`)
await listen({
  url,
  baseUrl,
  key,
  secret,
  after: values.after === undefined ? recall(values.state, name) : Number(values.after),
  remember: (sequence) => writeFileSync(values.state, JSON.stringify({ [name]: sequence })),
  say: (line) => console.log(line),
  signal: controller.signal,
}).catch((error: Error) => fail(error.message))
