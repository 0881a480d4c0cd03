import { spawnSync } from 'node:child_process'

// What `npm test` has no time for: every random test with new and many more cases, every route tried in every way, clients of
// third-party generators, the official suite of the agent protocol, and every route's answers before a validating proxy.

const SEED = process.env.SEED ?? String(Date.now() % 1_000_000)

const STEPS: readonly (readonly [what: string, command: string, variables?: Record<string, string>])[] = [
  ['The routes', 'npx vitest run --project workers test/routes/', { SOAK: 'true' }],
  ['The generators', 'npm run generators'],
  ['The packages', 'npm run packages'],
  ['The agent protocol', 'npm run conformance'],
  ['The clients of agents', 'npm run agents'],
  ['The proxy', 'npm run proxy'],
  ['The calendar servers', 'npm run calendars'],
  ['The races', 'npm run race'],
  ['The calendar files', 'npm run calendar-files'],
  ['The storms', 'npm run storms'],
]

console.log(`The seed is ${SEED}: SEED=${SEED} npm run nightly repeats this run.`)
const failed = STEPS.filter(([what, command, variables]) => {
  console.log(`\n${what}: ${command}`)
  const env = { ...process.env, SEED, ...variables }
  return spawnSync(command, { shell: true, stdio: 'inherit', env }).status !== 0
})
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.map(([what]) => what).join(', ')}.`)
console.log(`The seed was ${SEED}.`)
process.exitCode = failed.length === 0 ? 0 : 1
