import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'

/** Every text in every column of every table. */
async function everything(): Promise<string> {
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>()
  const answers = await env.DB.batch(
    tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  )
  return JSON.stringify(answers.map(({ results }) => results))
}

/** What is secret is in no table, in nothing that is logged while `work` is done, and in nothing it answers. */
export async function expectNowhere(secrets: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const said: string[] = []
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...words) => {
      said.push(words.map(String).join(' '))
    }),
  )
  const answers = JSON.stringify(await work())
  for (const spy of spies) spy.mockRestore()
  const kept = await everything()
  expect(kept.length).toBeGreaterThan(1_000)
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5)
    expect(kept).not.toContain(secret)
    expect(said.join('\n')).not.toContain(secret)
    expect(answers).not.toContain(secret)
  }
}
