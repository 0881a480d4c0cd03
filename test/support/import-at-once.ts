import type { Plugin } from 'vitest/config'

const IMPORT = /\bimport\((["'][^"'\n]+["'])\)/g

/**
 * What the Worker imports when something first asks for it is imported with the file that may ask, as in the bundle that
 * is deployed. Where tests run, an import asks the process of the tests each time and belongs to the request that began
 * it: another request that waits for the same one is cut off.
 */
export function importAtOnce(): Plugin {
  return {
    name: 'import-at-once',
    transform(code, id) {
      if (!/\/src\/[^?]+\.tsx?$/.test(id)) return null
      const imports: string[] = []
      const changed = code.replace(IMPORT, (_, from: string) => {
        imports.push(`import * as atOnce${imports.length} from ${from}`)
        return `Promise.resolve(atOnce${imports.length - 1})`
      })
      return imports.length === 0 ? null : { code: `${changed}\n${imports.join('\n')}`, map: null }
    },
  }
}
