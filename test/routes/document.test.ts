import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/platform/http/openapi/document.ts'
import { type Route, takesKey } from '../../src/platform/http/route.ts'
import { call, type Json } from '../support/app.ts'
import { createOrganization } from '../support/factories.ts'
import { needsOrganization } from '../support/recipes.ts'
import type { Document, Operation } from './document.ts'
import { documented, named, routes, servesApiKeys, shapeOf, takesApiKeys } from './kinds.ts'
import { LEAST_ROLE } from './least-roles.ts'

/** Every schema in `value`, the ones inside others too, with where it is. */
function* schemasIn(value: unknown, path = ''): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return
  const isSchema = 'type' in value || '$ref' in value || 'oneOf' in value || 'anyOf' in value
  if (isSchema) yield [path, value as Json]
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* schemasIn(inner, `${path}/${key}`)
  }
}

/** One test of all routes; what it fails with names the route. */
function itOfEveryRoute(says: string, check: (route: Route) => void): void {
  it(`${says} of every route`, () => {
    for (const [name, route] of named) {
      try {
        check(route)
      } catch (error) {
        if (error instanceof Error) error.message = `${name}: ${error.message}`
        throw error
      }
    }
  })
}

describe('the OpenAPI document', () => {
  let document: Document

  beforeAll(async () => {
    document = (await call<Document>('GET', '/v1/openapi.json')).body
  })

  function operationOf(route: Route): Operation {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`${route.operationId} is not documented`)
    const parameters = (operation.parameters ?? []).map(resolved)
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      resolved(response),
    ])
    return { ...operation, parameters, responses: Object.fromEntries(responses) }
  }

  function resolved<T>(value: T): T {
    const [, , kind, name] = (value as { $ref?: string }).$ref?.split('/') ?? []
    return kind ? (document.components[kind]![name!] as T) : value
  }

  it('is OpenAPI 3.1 of version 1.0.0 and lists the routes, the pages of consent and nothing else', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info.version).toBe('1.0.0')
    const listed = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(listed.map((operation) => operation.operationId).sort()).toEqual(
      [...routes, ...documented.pages].map(({ operationId }) => operationId).sort(),
    )
  })

  it('names every operation differently', () => {
    const ids = [...routes, ...documented.pages].map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('points to nothing that is missing', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
    expect(references.length).toBeGreaterThan(routes.length)
    expect(references.filter((ref) => resolved({ $ref: ref }) === undefined)).toEqual([])
  })

  it('is the one that the build checks and makes types from', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(documented, env.PUBLIC_URL))))
  })

  it('has nothing that generated clients fail on', () => {
    const schemas = [...schemasIn(document)]
    expect(schemas.length).toBeGreaterThan(500)
    // A default makes a field required in some clients' types; a closed answer breaks on the first new field.
    expect(schemas.filter(([, schema]) => 'default' in schema).map(([path]) => path)).toEqual([])
    const closed = schemas.filter(([, schema]) => schema.additionalProperties === false)
    expect(closed.map(([path]) => path)).toEqual([])
    // A variant without a name gets one from its place, and two of them may get the same.
    const nameless = schemas.filter(([, { oneOf, anyOf }]) =>
      ([oneOf, anyOf].flat() as (Json | undefined)[]).some((variant) => variant?.properties),
    )
    expect(nameless.map(([path]) => path)).toEqual([])
    expect(schemas.filter(([, schema]) => 'title' in schema).map(([path]) => path)).toEqual([])
  })

  it('says nothing twice in one description', () => {
    const told = [...JSON.stringify(document).matchAll(/"description":("(?:[^"\\]|\\.)*")/g)]
    const texts = [...new Set(told.map(([, text]) => JSON.parse(text!) as string))]
    expect(texts.length).toBeGreaterThan(500)
    const repeating = texts.filter((text) => {
      const sentences = text.split(/(?<=\.) /)
      return new Set(sentences).size < sentences.length
    })
    expect(repeating).toEqual([])
  })

  itOfEveryRoute('tells parameters, body and security', (route) => {
    const operation = operationOf(route)
    const parameters = operation.parameters ?? []
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => `:${name}`)).toEqual(route.path.match(/:\w+/g) ?? [])
    expect(inPath.every(({ required }) => required)).toBe(true)
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const taken = Object.keys(route.request.query?.shape ?? {})
    expect(inQuery).toEqual(route.hasDryRun ? [...taken, 'dry_run'] : taken)
    const takesToken = route.auth === 'key-or-token' || route.knowsCallerBy !== undefined
    expect(inQuery.includes('token')).toBe(takesToken)
    expect(parameters.find(({ name }) => name === 'token')?.required ?? false).toBe(false)
    expect(operation.requestBody !== undefined).toBe(
      [route.request.body, route.request.stream, route.request.file, route.request.ofProvider].some(
        (body) => body !== undefined,
      ),
    )
    const schemes = operation.security.flatMap((scheme) => Object.keys(scheme))
    expect(schemes.includes('apiKey')).toBe(takesApiKeys(route) || takesToken)
    expect(schemes.includes('serviceKey')).toBe(route.auth !== 'none' || takesToken)
    expect(schemes.includes('cancelToken')).toBe(takesToken)
    expect(schemes.includes('cancelTokenAsBearer')).toBe(takesToken || route.takesProof === true)
    expect(operation.responses).toHaveProperty(String(route.response.status))
    const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    expect(headers.includes('Idempotency-Key')).toBe(takesKey(route))
    expect(headers.includes('X-Org-Id')).toBe(needsOrganization(route) || takesToken)
    expect(new Set(headers).size).toBe(headers.length)
    const askedHeaders = shapeOf(route.request.headers).map(([name]) => name)
    expect(headers.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(askedHeaders))
  })

  itOfEveryRoute('says in words what stands for each field that is left out', (route) => {
    const { body, query } = route.request
    const parameters = new Map((operationOf(route).parameters ?? []).map((one) => [one.name, one as Json]))
    const schema = (body && document.components.schemas![body.meta()!.id!]) ?? {}
    const properties = new Map(Object.entries((schema.properties ?? {}) as Record<string, Json>))
    for (const [fields, described] of [
      [query, parameters],
      [body, properties],
    ] as const) {
      for (const [name, field] of shapeOf(fields)) {
        if (field.safeParse(undefined).data === undefined) continue
        expect([name, described.get(name)?.description]).toEqual([
          name,
          expect.stringMatching(/Default: .+\.$/),
        ])
      }
    }
  })

  it('describes every page of consent with its redirect, its refusals and its form', () => {
    const at = (path: string) => document.paths[path] as any
    for (const path of ['calendars/calendar_a', 'calendars/calendar_b', 'conferencing/video_a']) {
      const { get, post } = at(`/v1/${path}/callback`)
      const asked = get.parameters.map(resolved).map(({ name }: { name: string }) => name)
      expect(asked).toEqual(['state', 'code', 'error', 'error_description', 'admin_consent'])
      for (const { responses } of [get, post]) {
        expect(Object.keys(responses[303].headers)).toContain('Location')
        expect(Object.keys(responses[200].content)).toEqual(['text/html'])
        expect(Object.keys(responses[400].content)).toEqual(['text/html'])
      }
      expect(Object.keys(post.requestBody.content)).toEqual(['application/x-www-form-urlencoded'])
      expect(post.responses).toHaveProperty('403')
    }
  })

  itOfEveryRoute('shows an example that its own schema takes', (route) => {
    const { body: input } = route.request
    if (input) {
      const { id, example } = input.meta() ?? {}
      expect(example).toBeDefined()
      expect(input.safeParse(example).error).toBeUndefined()
      expect(document.components.schemas![id!]).toHaveProperty('example', example)
    }
    const { body: output } = route.response
    if (output) {
      const { id, example } = output.meta() ?? {}
      expect(example).toBeDefined()
      expect(output.parse(example)).toEqual(example)
      expect(document.components.schemas![id!]).toHaveProperty('example', example)
    }
  })

  it('shows examples that are real beyond their own schema: one can be sent as it is', async () => {
    const { liveKey } = await createOrganization()
    const route = routes.find((each) => each.operationId === 'createEventType')!
    const { status } = await call('POST', '/v1/event-types', {
      key: liveKey,
      body: route.request.body!.meta()!.example,
    })
    expect(status).toBe(201)
  })

  itOfEveryRoute('tells which role a key needs for more than reading', (route) => {
    const { description } = operationOf(route)
    const least = LEAST_ROLE[route.operationId]!
    const isForRoles = takesApiKeys(route) && ['member', 'admin', 'owner'].includes(least)
    if (servesApiKeys(route) && isForRoles) expect(description).toMatch(new RegExp(`\\b${least}s?\\b`, 'i'))
    if (!isForRoles) expect(description).not.toContain('needs the role')
  })

  it('gives the type of the single plain-text response', () => {
    const { responses } = document.paths['/v1/calendars/calendar_b/notifications']!.post!
    expect(responses[200]).toHaveProperty('content', { 'text/plain': { schema: { type: 'string' } } })
    expect(responses[204]).not.toHaveProperty('content')
  })

  it('says whose token a call takes', () => {
    const told = (path: string, method: string) =>
      document.paths[path]![method]!.parameters!.map(resolved).find(({ name }) => name === 'token')
    expect(told('/v1/bookings/{id}/cancel', 'post')).toHaveProperty(
      'description',
      expect.stringContaining('booking'),
    )
    expect(told('/v1/holds/{id}', 'get')).toHaveProperty('description', expect.stringContaining('hold'))
    expect(told('/v1/waitlist/{id}/cancel', 'post')).toHaveProperty(
      'description',
      expect.stringContaining('entry'),
    )
  })

  it('explains the names of providers, and how each strategy chooses', () => {
    const told = (schema: string) => String(document.components.schemas![schema]!.description)
    expect(told('MeetingProvider')).toMatch(
      /`video_a`.*Zoom.*`calendar_a_meet`.*Google.*`calendar_b_meet`.*Microsoft/,
    )
    expect(told('CalendarProvider')).toMatch(/`calendar_a`.*Google.*`calendar_b`.*Microsoft/)
    const { preset } = document.components.schemas!.ConnectCaldavInput!.properties as Record<string, Json>
    expect(preset!.description).toMatch(
      /`caldav_preset_a`.*iCloud.*`caldav_preset_b`.*Fastmail.*`caldav_preset_d`.*Yahoo.*`caldav_preset_c`.*Nextcloud/,
    )
    const strategies = document.components.schemas!.AssignmentStrategy!
    for (const strategy of strategies.enum as string[])
      expect(strategies.description).toContain(`\`${strategy}\``)
  })

  it('describes the limits of a field in words if its schema cannot', () => {
    const bound = (schema: string, field: string) =>
      (document.components.schemas![schema]!.properties as Record<string, Json>)[field]
    for (const schema of ['CreateBookingInput', 'CreateHoldInput', 'ConfirmHoldInput']) {
      const metadata = bound(schema, 'metadata')
      expect(metadata).toMatchObject({ maxProperties: 50, description: expect.stringContaining('16 KiB') })
    }
    const secret = bound('CreateWebhookEndpointInput', 'secret')
    expect(secret!.description).toContain('the base64 of 24 to 64 bytes')
    const times = JSON.stringify(bound('PutAvailabilityInput', 'rules'))
    expect(times).toContain('`HH:MM`')
    expect(times).toContain('`24:00`')
  })

  itOfEveryRoute('tells the brake and the fault', (route) => {
    const { responses } = operationOf(route)
    expect(responses).toHaveProperty('500')
    expect('429' in responses).toBe(
      route.auth !== 'none' || route.limit === 'counted' || route.isProvedByContent === true,
    )
  })
})
