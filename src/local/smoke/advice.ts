const UNAUTHORIZED = `The deployment does not know this service key. SERVICE_KEY must be what was put with: npx wrangler secret put SERVICE_KEY`
const NO_DATABASE = `No database answers. Check that [[d1_databases]] in wrangler.toml names the database of this account (npx wrangler d1 list), then run: npm run deploy`
const BROKEN = `The Worker failed. The usual reasons: a secret is missing (npx wrangler secret list must name SERVICE_KEY and ENCRYPTION_KEY), or the database has no tables (npm run deploy migrates it first). The log says which: npx wrangler tail`
const PRIVATE = `The service sends webhooks to a private address only if it is its own. Try it at its PUBLIC_URL, which npm start prints.`
const OTHER = `Something else answers at this address. Check the Worker's routes and PUBLIC_URL in wrangler.toml.`

/** What an answer that says no means to the one who deployed. */
export function advice(method: string, path: string, status: number, text: string): string {
  return `${method} ${path} returned ${status}${saidIn(text)}.\n${meaningOf(path, status, text)}`
}

function meaningOf(path: string, status: number, text: string): string {
  if (path === '/health' && status >= 500) return `${NO_DATABASE}. Its log: npx wrangler tail`
  if (status === 401) return UNAUTHORIZED
  if (status >= 500 && status !== 503) return BROKEN
  if (status === 503) return `${NO_DATABASE}. If it is overloaded, try again in a minute.`
  if (status === 400 && path === '/v1/webhooks') return PRIVATE
  return errorIn(text) === null ? OTHER : 'Read what the error names. If the settings are right, report it.'
}

type Refusal = { readonly code: string; readonly message: string; readonly request_id?: string }

function saidIn(text: string): string {
  const error = errorIn(text)
  if (error === null) return ''
  const id = error.request_id ? `, request_id ${error.request_id}` : ''
  return ` (${error.code}: ${error.message.replace(/\.$/, '')}${id})`
}

function errorIn(text: string): Refusal | null {
  try {
    return JSON.parse(text).error ?? null
  } catch {
    return null
  }
}
