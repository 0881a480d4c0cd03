import { expect, it } from 'vitest'
import { noteAnswered, takeAnswered, takeKept } from '../../src/platform/limits/answered-calls.ts'

const NOTE = { id: 'a', method: 'GET', route: '/v1/bookings', status: 200, ms: 1, refusal: null }

it('lets one request at a time store the answered calls of a key', () => {
  const hash = crypto.randomUUID()
  expect(noteAnswered(hash, NOTE, 0, 10)).toBe(true)
  expect(noteAnswered(hash, NOTE, 1, 11)).toBe(false)
  expect(takeAnswered(hash)).toHaveLength(2)
  // The key's next call took them along, and the first request still waits.
  expect(noteAnswered(hash, NOTE, 2, 12)).toBe(false)
  expect(takeKept(hash)).toHaveLength(1)
  expect(noteAnswered(hash, NOTE, 3, 13)).toBe(true)
  // That request was aborted.
  expect(noteAnswered(hash, NOTE, 13, 23)).toBe(true)
  expect(takeKept(hash)).toHaveLength(2)
})
