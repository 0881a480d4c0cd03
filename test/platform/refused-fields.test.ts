import { expect, it } from 'vitest'
import { ERROR_DETAILS } from '../../src/platform/http/error-details.ts'
import type { Refusal } from '../../src/platform/http/errors.ts'
import { nameField } from '../../src/platform/http/name-field.ts'
import { openRooms } from '../../src/platform/http/room.ts'
import { codeOf, type Reason } from '../../src/platform/reasons/reason.ts'
import { FIELDS_OF, NAMES_OF } from '../../src/platform/reasons/refused-fields.ts'
import { rooms } from '../../src/routes.ts'

const routes = await openRooms(rooms)
const shapes = routes.map(({ request }) => ({ ...request.query?.shape, ...request.body?.shape }))
const reasons = Object.entries(FIELDS_OF).map(([reason, names]) => [reason as Reason, names] as const)

it('are fields that requests have', () => {
  const named = [...Object.values(NAMES_OF), ...Object.values(FIELDS_OF)].flat()
  expect(named.filter((name) => !shapes.some((shape) => Object.hasOwn(shape, name)))).toEqual([])
})

it('are of refusals whose details are documented with a field', () => {
  const codes = new Set(['not_found' as const, ...reasons.map(([reason]) => codeOf(reason))])
  for (const code of codes) {
    expect(ERROR_DETAILS[code]?.safeParse({ field: 'member_id' }).success, code).toBe(true)
  }
})

it.each(reasons)(
  'are named by %s: the first that was sent, or else one that the endpoint takes',
  (reason, names) => {
    const refusal: Refusal = { code: codeOf(reason), reason }
    for (const [at, name] of names.entries()) {
      const sent = Object.fromEntries(names.slice(at).map((one) => [one, 'x']))
      const route = routes[shapes.findIndex((shape) => Object.hasOwn(shape, name))]!
      expect(nameField(refusal, route, { query: undefined, body: sent }).details).toEqual({ field: name })
      const unsent = nameField(refusal, route, { query: { [name]: undefined }, body: undefined }).details
      expect(names).toContain(unsent?.field)
    }
  },
)

it('are not guessed where the endpoint takes none of them', () => {
  const route = routes.find(({ operationId }) => operationId === 'getHealth')!
  const refusal = { code: 'not_found', reason: 'missing', numbers: { thing: 'member' } } as const
  expect(nameField(refusal, route, { query: undefined, body: undefined })).toBe(refusal)
})
