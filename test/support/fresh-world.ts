import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import type { Json, OpenWorld } from '../../doubles/world.ts'

/** A double of the file's own, with another world for each test. Call it outside of them. */
export function freshWorld(open: OpenWorld) {
  let doubles: Doubles
  let worlds = 0
  beforeAll(async () => {
    doubles = await startDoubles({ double: open })
  })
  afterAll(() => doubles.stop())
  beforeEach(() => {
    worlds += 1
  })
  const base = () => `${doubles.url}/double/w${worlds}`
  return {
    base,
    control: async (method: string, path: string, json?: unknown): Promise<Json> => {
      const response = await fetch(`${base()}/control${path}`, {
        method,
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      const text = await response.text()
      return text ? JSON.parse(text) : {}
    },
  }
}
