import { Failure } from '../failure.ts'
import { smokeSettings } from './settings.ts'
import { tryDeployment } from './try-deployment.ts'

const SIGNALLED = 130

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

try {
  const settings = smokeSettings(process.argv.slice(2), process.env)
  await tryDeployment(settings, stopping.signal, (line) => console.log(line))
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(`\n${error.message}`)
  process.exitCode = stopping.signal.aborted ? SIGNALLED : 1
}
