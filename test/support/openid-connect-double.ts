import { createHash, createPublicKey, verify } from 'node:crypto'
import { openOpenidConnect } from '../../doubles/openid-connect/open-openid-connect.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from './fresh-world.ts'

export const REDIRECT = 'https://app.example/callback?kept=1'
export const SECRET = 'double+secret/1='
export const VERIFIER = 'v'.repeat(64)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export type Answer = { readonly status: number; readonly headers: Headers; readonly json: Json }
/** Parameters laid over the right ones; null leaves one out. */
export type Changes = Readonly<Record<string, string | null>>

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
export const BASIC = basic('holdfast-double', encodeURIComponent(SECRET))

const formOf = (right: Record<string, string>, changes: Changes) =>
  new URLSearchParams(
    Object.entries({ ...right, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  )

/** A provider as a client and as a test meet it, with another world for each test. */
export function openidConnectDouble() {
  const { base, control } = freshWorld(openOpenidConnect)

  async function ask(path: string, options: RequestInit = {}): Promise<Answer> {
    const response = await fetch(base() + path, { redirect: 'manual', ...options })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : { text } }
  }

  /** Where the browser goes from there: `back` is what the client is told. */
  async function authorize(changes: Changes = {}): Promise<Answer & { back: Json | null }> {
    const right = {
      ...{
        response_type: 'code',
        client_id: 'holdfast-double',
        redirect_uri: REDIRECT,
        scope: 'openid email profile',
      },
      ...{
        state: 's 1&',
        nonce: 'n1',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        as: 'ada@acme.example',
      },
    }
    const answer = await ask(`/authorize?${formOf(right, changes)}`)
    const location = answer.headers.get('location')
    return { ...answer, back: location ? Object.fromEntries(new URL(location).searchParams) : null }
  }

  const redeem = (
    code: string,
    changes: Changes = {},
    headers: Record<string, string> = { Authorization: BASIC },
  ) =>
    ask('/token', {
      method: 'POST',
      headers,
      body: formOf(
        { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER },
        changes,
      ),
    })

  async function signIn(changes: Changes = {}) {
    const { json: tokens } = await redeem((await authorize(changes)).back!.code)
    return { tokens, ...(tokens.id_token && read(tokens.id_token)) } as {
      tokens: Json
      header: Json
      claims: Json
    }
  }

  const userinfo = (token: string) => ask('/userinfo', { headers: { Authorization: `Bearer ${token}` } })
  const configuration = async (path = '') => (await ask(`${path}/.well-known/openid-configuration`)).json
  const keys = async (): Promise<Json[]> => (await ask('/keys')).json.keys

  /** Whether one of the published keys made this signature, found by `kid`. */
  async function isSigned(token: string): Promise<boolean> {
    const [header = '', claims, signature = ''] = token.split('.')
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const jwk = (await keys()).find((key) => key.kid === kid && key.use === 'sig')
    if (!jwk) return false
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(
      alg === 'EdDSA' ? null : 'sha256',
      Buffer.from(`${header}.${claims}`),
      alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key,
      Buffer.from(signature, 'base64url'),
    )
  }

  const set = (settings: Json) => control('PUT', '', settings)
  const register = (registration: Json) => control('PUT', '/registration', registration)
  return {
    base,
    control,
    set,
    register,
    ask,
    authorize,
    redeem,
    signIn,
    userinfo,
    configuration,
    keys,
    isSigned,
  }
}

export function read(token: string): { header: Json; claims: Json } {
  const [header, claims] = token
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, claims }
}
