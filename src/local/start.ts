import { Failure } from './failure.ts'
import { holdState } from './hold-state.ts'
import { instructionsFor } from './instructions.ts'
import { assertPortIsFree } from './port.ts'
import { connectPretendAccount, connectPretendStripe, startPretendProviders } from './pretend-providers.ts'
import { runCron } from './run-cron.ts'
import { seedDemo } from './seed.ts'
import { readSettings } from './settings.ts'
import { migrate, startDevServer, stopWrangler } from './wrangler.ts'

let isStopping = false

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await stopWrangler()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// Nobody reads any more what it says, as in `npm start | head`.
for (const output of [process.stdout, process.stderr]) output.on('error', stop)

try {
  const settings = readSettings(process.env)
  const isPretending = process.argv.includes('--with-doubles')
  await assertPortIsFree(settings.port)
  if (isPretending) await assertPortIsFree(settings.port + 1)
  holdState(settings.stateDirectory)
  console.log('Migrating the local database…')
  await migrate(settings)
  console.log('Starting the service…')
  const providers = isPretending ? await startPretendProviders(settings) : null
  const server = await startDevServer(settings, providers?.variables)
  const demo = await seedDemo(settings)
  const pretended = providers && {
    url: providers.url,
    account: await connectPretendAccount(settings, demo.liveKey),
    paidAccount: await connectPretendStripe(settings, demo.liveKey),
  }
  console.log(await instructionsFor(settings.url, demo, pretended))
  server.showLog()
  void runCron(settings.url)
  await server.ended
  if (!isStopping) throw new Failure('wrangler dev ended unexpectedly.')
} catch (error) {
  if (!isStopping) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    await stopWrangler()
    process.exit(1)
  }
}
