import type { Env } from '../env.ts'

const OURS = /^\/console(\/|$)/

/** Answers requests for the console; null leaves the request to others. */
export async function serveConsole(request: Request, env: Env, { pathname }: URL): Promise<Response | null> {
  if (!OURS.test(pathname)) return null
  const { answerConsole } = await import('./answer-console.ts')
  return answerConsole(request, env, pathname)
}
