import { createHash, randomBytes } from 'node:crypto'
import { CLIENT_ID, CLIENT_SECRET } from './credentials.ts'
import { type Account, accountOf, type Call, type Reply, type World } from './exchange.ts'

export type OAuthManners = {
  readonly authorizePath: string
  readonly tokenPath: string
  readonly revokePath: string | null
  readonly authentication: 'basic' | 'post'
  /** `kept` stays valid, `added` brings a new one each time, `replaced` takes the old one no longer. */
  readonly refreshTokens: 'kept' | 'added' | 'replaced'
  readonly isOffline: (request: URLSearchParams) => boolean
  readonly endings: Readonly<Record<'revoked' | 'expired', Reply>>
}

const refusal = (error: string, error_description: string): Reply => ({
  status: 400,
  json: { error, error_description },
})

/** RFC 6749, RFC 7636 and RFC 7009 as far as a confidential client needs them; null for other paths. */
export function answerOAuth(world: World, manners: OAuthManners, call: Call): Reply | null {
  switch (call.path) {
    case manners.authorizePath:
      return authorize(world, call)
    case manners.tokenPath:
      return isClient(manners, call) ? token(world, manners, call) : invalidClient
    case manners.revokePath:
      return revoke(world, new URLSearchParams(call.body).get('token') ?? '')
    default:
      return null
  }
}

const invalidClient: Reply = { status: 401, json: { error: 'invalid_client' } }

/** The owner (`as`, or somebody) says yes at once, or no (`deny`). */
function authorize(world: World, { query }: Call): Reply {
  const isWhole =
    query.get('response_type') === 'code' &&
    query.get('client_id') === CLIENT_ID &&
    query.get('code_challenge_method') === 'S256' &&
    /^[\w-]{43}$/.test(query.get('code_challenge') ?? '') &&
    query.has('state') &&
    URL.canParse(query.get('redirect_uri') ?? '')
  if (!isWhole) return { status: 400, json: { error: 'invalid_request' } }
  const back = new URL(query.get('redirect_uri')!)
  back.searchParams.set('state', query.get('state')!)
  if (query.has('deny')) back.searchParams.set('error', 'access_denied')
  else {
    const code = newSecret()
    const email = query.get('as') ?? 'owner@example.com'
    world.codes.set(code, { email, request: query, isUsed: false })
    back.searchParams.set('code', code)
  }
  return { status: 302, headers: { Location: back.href } }
}

function isClient({ authentication }: OAuthManners, { headers, body }: Call): boolean {
  const form = new URLSearchParams(body)
  if (authentication === 'post') {
    return form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET
  }
  const given = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
  // Zoom takes them as they are.
  return given === `${CLIENT_ID}:${CLIENT_SECRET}`
}

function token(world: World, manners: OAuthManners, { body }: Call): Reply {
  const form = new URLSearchParams(body)
  if (form.get('grant_type') === 'refresh_token') return refresh(world, manners, form)
  if (form.get('grant_type') !== 'authorization_code') return refusal('unsupported_grant_type', '')
  const grant = world.codes.get(form.get('code') ?? '')
  if (!grant || grant.isUsed) return refusal('invalid_grant', 'Bad code.')
  grant.isUsed = true
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (challenge !== grant.request.get('code_challenge')) return refusal('invalid_grant', 'Bad verifier.')
  if (form.get('redirect_uri') !== grant.request.get('redirect_uri')) {
    return refusal('invalid_grant', 'Bad redirect URI.')
  }
  const account = accountOf(world, grant.email)
  account.ended = null
  const refreshToken = manners.isOffline(grant.request) ? newSecret() : undefined
  if (refreshToken) account.refreshTokens.add(refreshToken)
  return issue(world, account, refreshToken, grant.request.get('scope') ?? '')
}

function refresh(world: World, manners: OAuthManners, form: URLSearchParams): Reply {
  const given = form.get('refresh_token') ?? ''
  const account = [...world.accounts.values()].find(({ refreshTokens }) => refreshTokens.has(given))
  if (!account) return manners.endings.revoked
  if (account.ended !== null) return manners.endings[account.ended]
  if (manners.refreshTokens === 'kept') return issue(world, account, undefined, '')
  const next = newSecret()
  if (manners.refreshTokens === 'replaced') account.refreshTokens.delete(given)
  account.refreshTokens.add(next)
  return issue(world, account, next, '')
}

function issue(world: World, account: Account, refreshToken: string | undefined, asked: string): Reply {
  const { tokenLifetimeSeconds: lifetime = 3600, grantedScope } = world.settings
  const accessToken = newSecret()
  account.accessTokens.set(accessToken, Date.now() + lifetime * 1000)
  const scope = grantedScope ?? asked
  return {
    status: 200,
    json: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: lifetime,
      ...(refreshToken && { refresh_token: refreshToken }),
      ...(scope && { scope }),
    },
  }
}

function revoke(world: World, given: string): Reply {
  for (const account of world.accounts.values()) {
    if (!account.refreshTokens.has(given) && !account.accessTokens.has(given)) continue
    account.refreshTokens.clear()
    account.accessTokens.clear()
    return { status: 200, json: {} }
  }
  return refusal('invalid_token', 'Token expired or revoked')
}

function newSecret(): string {
  return randomBytes(24).toString('base64url')
}
