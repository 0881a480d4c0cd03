import type { MappedLine } from './mapped-lines.ts'

type Module = { readonly isOurs: boolean; readonly calls: string[]; hasOwn: boolean }

const BEGIN = /^var (init_\w+) = __esm\(\{$/
const CALL = /^ {4}(init_\w+)\(\);$/

/**
 * Without the calls that a file which waits makes of the files it imports, if there is nothing to run in them, or if another
 * import runs them first. That is nearly half of them. Only our own files are known not to import each other in circles.
 */
export function withoutNeedlessCalls(lines: readonly MappedLine[]): readonly MappedLine[] {
  const modules = modulesOf(lines)
  const reached = reachIn(modules)
  const runs = runsIn(modules)
  let open: Module | undefined
  return lines.filter(({ text }) => {
    const begun = BEGIN.exec(text)?.[1]
    if (begun !== undefined) open = modules.get(begun)
    const called = CALL.exec(text)?.[1]
    if (!open?.isOurs || called === undefined) return true
    if (!runs(called)) return false
    return !open.calls.some(
      (other) => other !== called && modules.get(other)?.isOurs && reached(other).has(called),
    )
  })
}

function modulesOf(lines: readonly MappedLine[]): ReadonlyMap<string, Module> {
  const modules = new Map<string, Module>()
  let isOurs = false
  let open: Module | null = null
  for (const { text } of lines) {
    if (text.startsWith('// ')) isOurs = text.startsWith('// src/')
    const begun = BEGIN.exec(text)?.[1]
    if (begun !== undefined) {
      open = { isOurs, calls: [], hasOwn: false }
      modules.set(begun, open)
    } else if (text === '});') open = null
    else if (open !== null) {
      const called = CALL.exec(text)?.[1]
      if (called !== undefined) open.calls.push(called)
      else open.hasOwn ||= !/^(?: {2}(?:"[^"]+"\(\) \{|\})| {4}"use strict";)$/.test(text)
    }
  }
  return modules
}

/** All that a module's calls lead to. */
function reachIn(modules: ReadonlyMap<string, Module>) {
  const known = new Map<string, Set<string>>()
  return function reached(name: string): ReadonlySet<string> {
    const before = known.get(name)
    if (before) return before
    const found = new Set<string>()
    known.set(name, found)
    for (const called of modules.get(name)?.calls ?? []) {
      found.add(called)
      for (const further of reached(called)) found.add(further)
    }
    return found
  }
}

/** Whether calling a module runs anything. Unknown modules may. */
function runsIn(modules: ReadonlyMap<string, Module>) {
  const known = new Map<string, boolean>()
  return function runs(name: string): boolean {
    const module = modules.get(name)
    const before = known.get(name)
    if (before !== undefined || !module) return before ?? true
    known.set(name, true)
    const isNeeded = !module.isOurs || module.hasOwn || module.calls.some(runs)
    known.set(name, isNeeded)
    return isNeeded
  }
}
