import { env } from 'cloudflare:workers'
import { answerConsole } from '../../src/console/answer-console.ts'
import type { Browser } from './console.ts'
import { countedEnv } from './counted-env.ts'
import { browserRequest, formOf, type Visited } from './pages.ts'

/** How often each of these screens asks the database when this browser opens it. */
export async function consoleTrips({ cookies }: Browser, paths: readonly string[]) {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const told: { path: string; trips: number }[] = []
  for (const path of paths) {
    const counted = countedEnv(env)
    const request = browserRequest(path, { headers: { Cookie } })
    const { status } = await answerConsole(request, counted.env, new URL(request.url).pathname)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    told.push({ path, trips: counted.trips.count })
  }
  return told
}

/** What a form of a page is answered, and how often that asks the database. */
export async function sentTrips(
  { cookies }: Browser,
  page: Visited,
  which: string,
  fields: Readonly<Record<string, string>> = {},
  holds = '',
) {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const form = formOf(page, which, holds)
  const counted = countedEnv(env)
  const request = browserRequest(form.action, { form: { ...form.fields, ...fields }, headers: { Cookie } })
  const { status } = await answerConsole(request, counted.env, new URL(request.url).pathname)
  return { status, trips: counted.trips.count }
}
