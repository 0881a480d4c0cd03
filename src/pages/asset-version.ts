import type { Env } from '../env.ts'

const FILES = [
  ...['page.css', 'page.js', 'form.js', 'days.js', 'grid.js', 'zones.js', 'host.js', 'pay.js'],
  'cities.js',
  ...['console.css', 'console.js', 'passkeys.js', 'calendar.css', 'calendar.js', 'docs.js'],
  ...['docs-search.js', 'docs-index.json', 'docs-reference.js', 'docs.css'],
]
let known: string | null = null

/** Changes when a static file does, so that browsers may keep each version for ever. Asked once per isolate. */
export async function assetVersion(env: Env): Promise<string> {
  known ??= await readVersion(env)
  return known
}

async function readVersion(env: Env): Promise<string> {
  const tags = await Promise.all(
    FILES.map(async (file) => {
      const { headers } = await env.ASSETS.fetch(`https://assets.local/assets/${file}`, { method: 'HEAD' })
      return headers.get('etag')
    }),
  )
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(tags.join()))
  return Array.from(new Uint8Array(digest, 0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
