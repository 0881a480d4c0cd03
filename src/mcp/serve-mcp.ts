import type { Env } from '../env.ts'

/** Answers agents that speak the Model Context Protocol; null leaves the request to the others. */
export async function serveMcp(request: Request, env: Env, { pathname }: URL): Promise<Response | null> {
  if (pathname !== '/mcp' && pathname !== '/mcp/') return null
  const { answerMcp } = await import('./answer-mcp.ts')
  return answerMcp(request, env)
}
