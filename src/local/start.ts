import { Failure } from './failure.ts'
import { holdState } from './hold-state.ts'
import { instructionsFor } from './instructions.ts'
import { assertPortIsFree } from './port.ts'
import {
  connectPretendAccount,
  connectPretendStripe,
  offerPaid,
  startPretendProviders,
} from './pretend-providers.ts'
import { reloadOnChange } from './reload-on-change.ts'
import { runCron } from './run-cron.ts'
import { type LocalService, startService } from './runtime.ts'
import { seedDemo } from './seed.ts'
import { readSettings } from './settings.ts'
import { bundle, migrate, stopWrangler } from './wrangler.ts'

let isStopping = false
let service: LocalService | null = null

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await stopAll()
  process.exit(0)
}

async function stopAll(): Promise<void> {
  await Promise.all([stopWrangler(), service?.stop()])
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// The runtime ends this process at a signal, too, as one that failed.
process.on('exit', () => {
  if (isStopping) process.exitCode = 0
})
// Nobody reads any more what it says, as in `npm start | head`.
for (const output of [process.stdout, process.stderr]) output.on('error', stop)

try {
  const settings = readSettings(process.env)
  const isPretending = process.argv.includes('--with-doubles')
  await assertPortIsFree(settings.port)
  if (isPretending) await assertPortIsFree(settings.port + 1)
  holdState(settings.stateDirectory)
  console.log('Bundling the Worker, migrating the local database…')
  const [bundled] = await Promise.all([bundle(settings), migrate(settings)])
  console.log('Starting the service…')
  const providers = isPretending ? await startPretendProviders(settings) : null
  service = await startService(settings, bundled, providers?.variables)
  const demo = await seedDemo(settings)
  const pretended = providers && {
    url: providers.url,
    account: await connectPretendAccount(settings, demo.liveKey),
    paidAccount: await connectPretendStripe(settings, demo.liveKey),
    paid: await offerPaid(settings, demo.liveKey),
  }
  console.log(await instructionsFor(settings.url, demo, pretended))
  service.showLog(process.argv.includes('--verbose'))
  void runCron(settings.url)
  await reloadOnChange(settings, service)
} catch (error) {
  if (!isStopping) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    await stopAll()
    process.exit(1)
  }
}
