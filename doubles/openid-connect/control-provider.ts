import { NO_CONTROL, put, wrong } from '../controls.ts'
import type { Call, Json, Reply } from '../world.ts'
import { LIKENESSES } from './act-like.ts'
import { publishedKeys, rotateKeys } from './make-keys.ts'
import { changed, type Person, type Provider, personOf } from './state.ts'

/** What a test does and sees; `?as=<login>` chooses the account. */
export function controlProvider(provider: Provider, call: Call): Reply {
  const person = personOf(provider, call.query.get('as') ?? 'owner@example.com')
  const said: Json = call.body ? JSON.parse(call.body) : {}
  switch (`${call.method} ${call.path}`) {
    case 'GET ':
      return { status: 200, json: shown(provider, person, call.now) }
    case 'PUT ':
      return putSettings(provider, said)
    case 'PUT /registration':
      return put(provider.registration, said)
    case 'PUT /person':
      return putPerson(person, said)
    case 'POST /rotate':
      return { status: 200, json: { kid: rotateKeys(provider, said).kid } }
    case 'POST /publish':
      for (const key of provider.keys) key.isPublished = true
      return { status: 204 }
    case 'POST /expire':
      for (const grant of provider.grants) grant.endsAt = Math.min(grant.endsAt, call.now)
      return { status: 204 }
    case 'POST /end':
      for (const grant of provider.grants) if (grant.code.person === person) grant.ending ??= 'ended'
      return { status: 204 }
    default:
      return NO_CONTROL
  }
}

function putSettings({ settings }: Provider, { like, ...said }: Json): Reply {
  if (like === undefined) return put(settings, said)
  const likeness = Object.hasOwn(LIKENESSES, like) ? LIKENESSES[like]! : null
  return likeness ? put(settings, { ...likeness, ...said }) : wrong(`There is nobody like ${like}.`)
}

/** `{sub?, claims?}`: claims are laid over those that are there, null takes one away. */
function putPerson(person: Person, { sub, claims, ...rest }: Json): Reply {
  const [stranger] = Object.keys(rest)
  if (stranger) return wrong(`A person has no ${stranger}.`)
  if (sub !== undefined) person.sub = sub
  person.claims = changed(person.claims, claims ?? {})
  return { status: 204 }
}

function shown(provider: Provider, person: Person, now: number): Json {
  const { settings, registration, people, codes, grants } = provider
  return {
    person,
    people: [...people.values()],
    codes: [...codes.values()].map(({ person: { login }, challenge: _, ...code }) => ({ login, ...code })),
    grants: grants.map(({ code, accessToken, endsAt, ending }) => ({
      login: code.person.login,
      scope: code.scopes.join(' '),
      access_token: accessToken,
      ending: ending ?? (endsAt <= now ? 'expired' : null),
    })),
    keys: publishedKeys(provider),
    settings,
    registration,
  }
}
