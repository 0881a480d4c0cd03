import type { Call, OpenWorld, Reply } from '../world.ts'
import { refuseToken } from './authenticate-client.ts'
import { authorize } from './authorize.ts'
import { controlProvider } from './control-provider.ts'
import { publishedKeys } from './make-keys.ts'
import { answerToken } from './redeem-code.ts'
import { cached, tellConfiguration } from './show-configuration.ts'
import { showUser } from './show-user.ts'
import { holdProvider, type Provider } from './state.ts'

/**
 * Any provider of OpenID Connect, with the code flow: OpenID Connect Core 1.0 («Core») and Discovery 1.0 («Discovery»),
 * RFC 6749, 6750, 7636 and 9207, strict wherever they say MUST. What providers do otherwise is in act-like.ts.
 */
export const openOpenidConnect: OpenWorld = (frame) => {
  const provider = holdProvider(frame)
  return { answer: (call) => answer(provider, call), control: (call) => controlProvider(provider, call) }
}

function answer(provider: Provider, call: Call): Reply {
  const { method, path } = call
  switch (`${method} ${path}`) {
    case 'GET /authorize':
    case 'POST /authorize':
      return authorize(provider, call)
    case 'POST /token':
      return answerToken(provider, call)
    case 'GET /keys':
      return cached(provider, { keys: publishedKeys(provider) })
    case 'GET /userinfo':
    case 'POST /userinfo':
      if (provider.settings.hasUserinfo) return showUser(provider, call)
  }
  // «The client MUST use the HTTP POST method»: RFC 6749 3.2
  if (path === '/token')
    return refuseToken('invalid_request', 'The method must be POST.', 405, { Allow: 'POST' })
  return (
    (method === 'GET' ? tellConfiguration(provider, call) : null) ?? {
      status: 404,
      json: { error: 'not_found' },
    }
  )
}
