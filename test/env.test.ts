import { describe, expect, it } from 'vitest'
import { urlAt } from '../src/env.ts'

describe('the address of a path', () => {
  it.each(['https://book.acme.com', 'https://book.acme.com/', 'https://book.acme.com//'])(
    'has one slash between %s and the path',
    (PUBLIC_URL) => {
      expect(urlAt({ PUBLIC_URL }, '/bookings/1')).toBe('https://book.acme.com/bookings/1')
    },
  )
})
