import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Where the local databases of a state are, which the runtime keeps beside one of its own. */
export function databaseFiles(stateDirectory: string): readonly string[] {
  return globSync('v3/d1/*/*.sqlite', { cwd: stateDirectory })
    .filter((name) => !name.endsWith('metadata.sqlite'))
    .map((name) => join(stateDirectory, name))
}
