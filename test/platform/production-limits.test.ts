import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

describe('the local database', () => {
  const session = env.DB.withSession('first-primary')

  it.each([env.DB, session])('refuses values that production refuses', async (database) => {
    const bind = (text: string) => database.prepare('SELECT length(?) AS n').bind(text)
    expect(await bind('x'.repeat(2_000_000)).first('n')).toBe(2_000_000)
    for (const text of ['x'.repeat(2_000_001), 'é'.repeat(1_000_001)])
      expect(() => bind(text)).toThrow('SQLITE_TOOBIG')
  })

  it('refuses functions with more arguments than production takes, not lists', async () => {
    const given = (count: number) => Array.from({ length: count }, () => "coalesce('a,b(', 1)").join()
    expect(await session.prepare(`SELECT json_array_length(json_array(${given(32)})) AS n`).first('n')).toBe(
      32,
    )
    expect(() => session.prepare(`SELECT json_array(${given(33)})`)).toThrow('too many arguments')
    expect(await session.prepare(`SELECT 1 IN (${given(33)}) AS n`).first('n')).toBe(0)
  })

  it.each([
    ['columns', `SELECT ${Array.from({ length: 101 }, (_, at) => `${at} AS c${at}`)}`],
    ['united selects', Array.from({ length: 6 }, (_, at) => `SELECT ${at}`).join(' UNION ALL ')],
  ])('refuses too many %s', async (_, query) => {
    await expect(session.prepare(query).all()).rejects.toThrow('too many')
  })
})
