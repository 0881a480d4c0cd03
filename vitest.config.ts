import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { importAtOnce } from './test/support/import-at-once.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { WEBHOOK_SECRET } from './test/support/provider-events.ts'
import { storeInMemory } from './test/support/store-in-memory.ts'

// The runtime would ask the network where it is; here it makes that up.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
storeInMemory()

/** The queues as they are configured, but for the second or five in which they gather a batch. */
const { queueConsumers } = unstable_getMiniflareWorkerOptions('./wrangler.toml').workerOptions
const hurriedConsumers = Object.fromEntries(
  Object.entries(queueConsumers as Record<string, object>).map(([queue, consumer]) => [
    queue,
    { ...consumer, maxBatchTimeout: 0.05 },
  ]),
)

/** The files that `npm test` leaves out, because the machine lacks what they use. */
const leftOut = (process.env.LEFT_OUT ?? '').split(',').filter((file) => file !== '')

/** Each call of a test passes three more servers, and one of them checks it against the whole OpenAPI document. */
const isProxied = process.env.PROXY === 'true'

const isSoak = process.env.SOAK === 'true'

/** A machine that others use too may be late once: what fails twice is a fault. */
const retry = process.env.CI === 'true' ? 1 : 0
const chance = { isSoak, seed: isSoak ? Number(process.env.SEED ?? Date.now() % 1_000_000) : 1 }
if (isSoak) console.log(`The seed is ${chance.seed}: SEED=${chance.seed} npm run storms draws alike.`)

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    retry,
    projects: [
      {
        plugins: [
          importAtOnce(),
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              queueConsumers: hurriedConsumers,
              // Further databases, which tests that want them bind as DB_1 and DB_2.
              d1Databases: { SECOND: 'second', THIRD: 'third' },
              // Tests of backups bind it as DUMPS; the sweeps of others write none.
              r2Buckets: ['BUCKET'],
              bindings: {
                SERVICE_KEY: 'test-service-key-0123456789abcdef',
                ENCRYPTION_KEY: 'test-encryption-key-0123456789abcdef',
                // Also where .dev.vars lifts the rule: tests that need it lifted do so themselves.
                ALLOW_PRIVATE_HOSTS: 'false',
                LOG_LINES: 'off',
                SUPPORT_EMAIL: 'support@holdfast.example',
                STRIPE_SECRET_KEY: 'sk_test_double',
                STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
                ZOOM_WEBHOOK_SECRET: WEBHOOK_SECRET,
                TWILIO_ACCOUNT_SID: 'ACtest',
                TWILIO_AUTH_TOKEN: WEBHOOK_SECRET,
                TWILIO_FROM: '+15005550006',
                TWILIO_API_BASE: 'https://twilio.invalid',
                // Nobody is there: each file of tests has a provider of its own.
                STRIPE_API_BASE: 'http://127.0.0.1:9',
                MIGRATIONS: await readD1Migrations('./migrations'),
              },
            },
          })),
        ],
        // Packages that name sources which they do not ship fill pages with warnings.
        logLevel: 'error',
        test: {
          name: 'workers',
          provide: { chance },
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/e2e/**',
            'test/generators/**',
            'test/conformance/**',
            'test/local/**',
            'test/architecture.test.ts',
            ...leftOut,
          ],
          globalSetup: [
            'test/support/receiver-for-workers.ts',
            'test/support/radicale-for-workers.ts',
            'test/support/worlds-for-workers.ts',
            'test/support/validating-proxy.ts',
          ],
          setupFiles: ['test/support/wait-long.ts', 'test/support/migrate.ts'],
          isolate: false,
          testTimeout: isSoak ? 600_000 : isProxied ? 180_000 : 90_000,
          hookTimeout: 90_000,
          expect: { poll: { timeout: 15_000 } },
          // A third keeps two processors at work while the others wait, and when the end-to-end tests are over.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'local',
          provide: { chance },
          setupFiles: ['test/support/wait-long.ts'],
          isolate: false,
          include: ['test/architecture.test.ts', 'test/local/**/*.test.ts'],
          exclude: leftOut,
          testTimeout: 30_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // Generators of clients are many packages, which only `npm run generators` installs.
      {
        test: {
          name: 'generators',
          include: ['test/generators/*.test.ts'],
          globalSetup: ['test/support/build-for-e2e.ts'],
          testTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/*.test.ts'],
          globalSetup: ['test/support/build-for-e2e.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'e2e',
          provide: { chance },
          include: ['test/e2e/**/*.test.ts'],
          exclude: leftOut,
          globalSetup: ['test/support/build-for-e2e.ts'],
          // What drives browsers and runtimes is loaded once, not for each file.
          isolate: false,
          testTimeout: isSoak ? 3_600_000 : 300_000,
          // Starting a process takes long on a busy machine, the first time above all.
          hookTimeout: 300_000,
          expect: { poll: { timeout: 15_000 } },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
