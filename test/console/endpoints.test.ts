import { describe, expect, it } from 'vitest'
import table from '../../docs/console.md?raw'
import { AREAS } from '../../src/console/areas.ts'
import { NAVIGATION } from '../../src/console/navigation.ts'
import { openDocumented } from '../../src/routes.ts'

const sources: Record<string, string> = import.meta.glob('../../src/console/**/*.{ts,tsx}', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** What is asked elsewhere than on a screen. */
const ELSEWHERE = ['/invitations']

const rows = [...table.matchAll(/^- `(\w+)` \(`\w+ \S+`\): (.+)$/gm)].map(([, operation, screen]) => ({
  operation: operation!,
  screen: screen! === 'not yet' ? null : screen!.replaceAll('`', ''),
}))

async function screens() {
  return (await Promise.all(AREAS.map(({ open }) => open()))).flat()
}

describe('the list of endpoints and screens in docs/console.md', () => {
  it('names every endpoint that takes a key, and none that is not there: add a line, with `not yet` where no screen asks it', async () => {
    const { routes } = await openDocumented()
    const taking = routes.filter(
      ({ auth, operationId }) => !['none', 'service'].includes(auth) || operationId === 'updateOrganization',
    )
    expect(rows.map(({ operation }) => operation).sort()).toEqual(
      taking.map(({ operationId }) => operationId).sort(),
    )
  })

  it('names screens that are there', async () => {
    const shown = (await screens()).filter(({ method }) => method === 'GET').map(({ path }) => path as string)
    const named = rows.flatMap(({ screen }) => screen ?? [])
    expect(named.filter((path) => ![...shown, ...ELSEWHERE].includes(path))).toEqual([])
  })

  it('says the truth: what has a screen is asked in the source of the console', () => {
    const text = Object.values(sources).join('\n')
    const placed = rows.filter(({ screen }) => screen !== null && !ELSEWHERE.includes(screen))
    expect(placed.filter(({ operation }) => !text.includes(`Routes.${operation}`))).toEqual([])
  })
})

describe('the console', () => {
  it('has each screen once, in the area that its address lies in', async () => {
    const all = await screens()
    const names = all.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('leads only to places that are there', async () => {
    const shown = (await screens()).filter(({ method }) => method === 'GET').map(({ path }) => path)
    expect(NAVIGATION.filter(({ to }) => !shown.includes(to))).toEqual([])
  })
})
