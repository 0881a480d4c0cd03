import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { startServer, textOf } from './local-server.ts'
import type { Exchange } from './validated.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where calls and their answers are compared with the OpenAPI document; empty if they are not. */
    readonly proxy: string
  }
}

const ROOT = resolve(import.meta.dirname, '../..')
const PRISM = join(ROOT, 'test/conformance/node_modules/.bin/prism')

type Violation = { readonly location?: readonly string[]; readonly message: string }

/**
 * Prism stands between a client that repeats the calls of tests and a server that repeats their answers, because the service
 * under test runs inside of the test's own runtime.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.PROXY !== 'true') {
    project.provide('proxy', '')
    return async () => {}
  }
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-proxy-'))
  const document = join(directory, 'openapi.json')
  await promisify(execFile)(process.execPath, [join(ROOT, 'src/local/dump-openapi.ts'), document])

  const answers = new Map<string, Exchange['answer']>()
  const repeating = await startServer((request, response) => {
    const { status, headers, body } = answers.get(String(request.headers['x-exchange']))!
    // Prism drops a body of `null` but passes on its length, so that the next request of the connection would be misread.
    response.writeHead(status, { ...headers, Connection: 'close' }).end(body)
  })
  const free = await startServer(() => {})
  const { port } = new URL(free.url)
  await free.stop()
  const prism = spawn(PRISM, ['proxy', document, repeating.url, '--port', port, '--verboseLevel', 'error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await isListening(Number(port))

  let calls = 0
  const counted = { calls: 0, violations: 0 }
  async function violationsOf({ answer, ...call }: Exchange): Promise<readonly string[]> {
    // No document describes HEAD.
    if (call.method === 'HEAD' || !isReadable(call)) return []
    const id = String(++calls)
    answers.set(id, answer)
    const response = await fetch(`http://127.0.0.1:${port}${call.path}`, {
      signal: AbortSignal.timeout(20_000),
      method: call.method,
      headers: { ...call.headers, 'X-Exchange': id },
      redirect: 'manual',
      ...(call.body !== undefined && { body: call.body }),
    })
    const text = await response.text()
    answers.delete(id)
    if (response.headers.get('content-type')?.startsWith('application/problem+json')) {
      // An unknown path is not documented, and is refused.
      return answer.status === 404 ? [] : [text]
    }
    counted.calls++
    const violations = listed(response.headers.get('sl-violations') ?? '[]')
    // A refused call may break the rules, and many tests do so on purpose.
    const ours = violations.filter(({ location }) => location?.[0] === 'response' || answer.status < 400)
    counted.violations += ours.length
    return ours.map(({ location, message }) => `${location?.join('.')}: ${message}`)
  }
  const judging = await startServer(async (request, response) => {
    const violations = await violationsOf(JSON.parse(await textOf(request))).catch(String)
    response.end(JSON.stringify(violations))
  })
  project.provide('proxy', judging.url)

  return async () => {
    console.log(`The proxy saw ${counted.calls} calls and ${counted.violations} violations.`)
    prism.kill()
    await Promise.all([judging.stop(), repeating.stop()])
    await rm(directory, { recursive: true, force: true })
  }
}

/** More than fit into the header become a sentence. */
function listed(violations: string): readonly Violation[] {
  return violations.startsWith('[') ? JSON.parse(violations) : [{ message: violations }]
}

/** Prism ends if it cannot decode a path, and never answers if it cannot parse JSON. */
function isReadable({ path, headers, body = '' }: Omit<Exchange, 'answer'>): boolean {
  const isJson = headers['Content-Type'] === 'application/json' && body !== ''
  try {
    decodeURIComponent(path)
    if (isJson) JSON.parse(body)
    return true
  } catch {
    return false
  }
}

async function isListening(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(true)
      }).on('error', () => done(false))
    })
    if (isOpen) return
    await sleep(200)
  }
  throw new Error('Prism did not start')
}
