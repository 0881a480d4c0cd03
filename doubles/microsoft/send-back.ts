import type { Reply } from '../world.ts'

/** Where an answer of the authorization page goes. */
export type Back = { readonly uri: string; readonly state: string | null }

export function backUrl({ uri, state }: Back, answer: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams({ ...answer, ...(state !== null && { state }) })
  return `${uri}${uri.includes('?') ? '&' : '?'}${params}`
}

export function sendBack(back: Back, answer: Readonly<Record<string, string>>): Reply {
  return { status: 302, headers: { Location: backUrl(back, answer), 'Cache-Control': 'no-store' } }
}
