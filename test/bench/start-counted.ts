import { startService } from '../../src/local/runtime.ts'
import { readSettings } from '../../src/local/settings.ts'
import { bundle, migrate } from '../../src/local/wrangler.ts'
import { SERVICE_KEY } from '../support/service.ts'

// What `npm start` runs, with the paths of the bench: `PORT` and `HOLDFAST_STATE` as there.

const settings = readSettings(process.env)
const [bundled] = await Promise.all([bundle(settings, 'test/bench/counted-worker.ts'), migrate(settings)])
const service = await startService(settings, bundled, { SERVICE_KEY })
service.showLog(true)
process.on('SIGINT', () => service.stop().then(() => process.exit()))
