import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import type { Start } from './start-up.ts'

// Starts the bundle once, in a process that has done nothing else, and prints what that took.

const WORKERS = 'cloudflare:workers'
const inWorkers = { DurableObject: class {}, waitUntil() {} }

const [bundle] = process.argv.slice(2)
if (!bundle) throw new Error('Say which bundle to start.')
const text = readFileSync(bundle, 'latin1')
const link = async (specifier: string) => {
  const exported: object = specifier === WORKERS ? inWorkers : await import(specifier)
  const names = Object.keys(exported)
  return new vm.SyntheticModule(names, function () {
    for (const name of names) this.setExport(name, exported[name as never])
  })
}

const began = readCpu()
const module = new vm.SourceTextModule(text, { identifier: bundle })
const compiled = readCpu()
await module.link(link)
const linked = readCpu()
await module.evaluate()
const start: Start = { compileMs: compiled - began, evaluateMs: readCpu() - linked }
console.log(JSON.stringify(start))

/** Milliseconds, of this thread alone. */
function readCpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
