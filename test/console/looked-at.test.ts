import { expect, it } from 'vitest'
import { AREAS } from '../../src/console/areas.ts'
import { ELSEWHERE, editorScreens, SCREENS, STORED } from '../e2e/console/screens.ts'

it('has no screen that no test looks at in a browser', async () => {
  const areas = await Promise.all(AREAS.map(({ open }) => open()))
  const paths = areas.flat().flatMap(({ method, path }) => (method === 'GET' ? [String(path)] : []))
  const listed = [...SCREENS, ...editorScreens('one')].map(([, path]) => path.split('?')[0]!)
  const isSeen = (path: string) => {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    return (
      path in ELSEWHERE ||
      Object.values<string>(STORED).includes(path) ||
      listed.some((one) => pattern.test(one))
    )
  }
  expect(paths.filter((path) => !isSeen(path))).toEqual([])
  expect(Object.keys(ELSEWHERE).filter((path) => !paths.includes(path))).toEqual([])
})
