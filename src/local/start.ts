import { Failure } from './failure.ts'
import { instructionsFor } from './instructions.ts'
import { assertPortIsFree } from './port.ts'
import { seedDemo } from './seed.ts'
import { readSettings } from './settings.ts'
import { migrate, startDevServer, stopWrangler } from './wrangler.ts'

let isStopping = false

async function stop(): Promise<never> {
  isStopping = true
  await stopWrangler()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

try {
  const settings = readSettings(process.env)
  await assertPortIsFree(settings.port)
  console.log('Migrating the local database…')
  await migrate(settings)
  console.log('Starting the service…')
  const server = await startDevServer(settings)
  const demo = await seedDemo(settings)
  console.log(await instructionsFor(settings.url, demo))
  server.showLog()
  await server.ended
  if (!isStopping) throw new Failure('wrangler dev ended by itself.')
} catch (error) {
  if (!isStopping) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    await stopWrangler()
    process.exit(1)
  }
}
