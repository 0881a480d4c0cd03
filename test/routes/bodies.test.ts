import { describe, expect, it } from 'vitest'
import { recipeOf } from '../support/recipes.ts'
import { credentials, expectGood, refusalOf, send, sendBytes } from './ask.ts'
import { isInSample, named, shapeOf } from './kinds.ts'
import { openWorlds } from './worlds.ts'

const LONGEST = 64 * 1024
const WRONG_VALUES = [{}, 'no such thing', 1.5, []]
const NO_OBJECTS = ['{"a":', '[]']
const MORE_NO_OBJECTS = ['{a: 1}', '[{}]', '"text"', '17', 'null', 'true', 'a=1']

/** What callers or providers name themselves, or no more than a part of what it is sent with. */
const OF_OTHERS = new Set(['external_id', 'id', 'owner_user_id', 'place_id', 'user_id'])

const worlds = openWorlds()

describe.each(named.filter(([, { request }]) => request.body))('%s', (_, route) => {
  const { untouched, world } = worlds.of(route)
  const fields = shapeOf(route.request.body)
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name)

  if (required.length > 0) {
    it('names each field that is missing', async () => {
      const { organization, prepared } = await untouched()
      const given = Object.entries(prepared.body ?? {}).filter(([name]) => !required.includes(name))
      const rest = Object.fromEntries(given)
      const answer = await send(route, prepared, credentials(route, organization), rest)
      expect(refusalOf(answer)).toEqual([400, 'validation_error'])
      const details = Object.fromEntries(required.map((name) => [name, 'Is required.']))
      expect(answer.body.error.details).toEqual(details)
    })
  } else {
    it('takes an empty body', async () => {
      const { organization, prepared } = await world()
      const { body: _left, ...empty } = prepared
      expectGood(route, await send(route, empty, credentials(route, organization)))
    })
  }

  it('names each field whose type is wrong', async () => {
    const { organization, prepared } = await untouched()
    const wrong = fields.map(([name, field]) => {
      const value = WRONG_VALUES.find((each) => !field.safeParse(each).success)
      expect(value, name).toBeDefined()
      return [name, value] as const
    })
    const bad = { ...prepared.body, ...Object.fromEntries(wrong) }
    const answer = await send(route, prepared, credentials(route, organization), bad)
    expect(refusalOf(answer)).toEqual([400, 'validation_error'])
    const sentence = expect.stringMatching(/^[A-Z].*[.!?]$/)
    expect(answer.body.error.details).toEqual(Object.fromEntries(fields.map(([name]) => [name, sentence])))
  })

  const ids = fields.filter(([name]) => /(^|_)ids?$/.test(name) && !OF_OTHERS.has(name))
  if (ids.length > 0 && !recipeOf(route).insteadOfGood) {
    it('names an id that is of nothing', async () => {
      const { organization, prepared } = await untouched()
      for (const [name, field] of ids) {
        const id = crypto.randomUUID()
        const body = { ...prepared.body, [name]: field.safeParse([id]).success ? [id] : id }
        const answer = await send(route, prepared, credentials(route, organization), body)
        expect(['not_found', 'bad_request', 'validation_error'], name).toContain(answer.body.error?.code)
        const details = answer.body.error.details ?? {}
        expect([details.field, ...Object.keys(details)], name).toContain(name)
      }
    })
  }

  if (fields.some(([name]) => name === 'duration')) {
    it('names a duration that is not offered, also when the refusal is returned again', async () => {
      const { organization, prepared } = await untouched()
      const headers = { ...credentials(route, organization), 'Idempotency-Key': crypto.randomUUID() }
      const body = { ...prepared.body, duration: 7 }
      for (const isReplay of [false, true]) {
        const answer = await send(route, prepared, headers, body)
        expect([...refusalOf(answer), answer.body.error.details]).toEqual([
          400,
          'bad_request',
          { field: 'duration' },
        ])
        expect(answer.headers.has('Idempotent-Replayed')).toBe(isReplay)
      }
    })
  }

  it('answers 400 to invalid JSON and to other values than objects', async () => {
    const { organization, prepared } = await untouched()
    const headers = credentials(route, organization)
    for (const text of isInSample(route) ? [...NO_OBJECTS, ...MORE_NO_OBJECTS] : NO_OBJECTS) {
      const answer = await send(route, prepared, headers, text)
      expect([text, ...refusalOf(answer)]).toEqual([text, 400, 'validation_error'])
      expect(answer.body.error.details).toEqual({ body: expect.any(String) })
    }
    if (!isInSample(route)) return
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect(refusalOf(await sendBytes(route, prepared.path, headers, bytes))).toEqual([
      400,
      'validation_error',
    ])
  })

  it('ignores fields that it does not know, takes 64 KiB and refuses a byte more', async () => {
    // Its success at the end uses up what the others need for refusals before anything is looked for.
    const { organization, prepared } = await untouched()
    const headers = credentials(route, organization)
    const others = { no_such_field: 1, id: 'x', organization_id: 'x', is_test: true }
    const text = JSON.stringify({ ...others, ...prepared.body, padding: '' })
    const bodyOf = (size: number) =>
      text.replace('"padding":""', `"padding":"${'x'.repeat(size - text.length)}"`)
    const exceeds = bodyOf(LONGEST + 1)
    const answers = [await send(route, prepared, headers, exceeds)]
    if (isInSample(route)) {
      const bytes = new TextEncoder().encode(exceeds)
      const streamed = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 4096) controller.enqueue(bytes.slice(at, at + 4096))
          controller.close()
        },
      })
      const declaring = (length: number) => ({ ...headers, 'Content-Length': String(length) })
      answers.push(await send(route, prepared, declaring(exceeds.length), exceeds))
      answers.push(await send(route, prepared, declaring(LONGEST), exceeds))
      answers.push(await sendBytes(route, prepared.path, headers, streamed))
    }
    for (const answer of answers) {
      expect(refusalOf(answer)).toEqual([400, 'validation_error'])
      expect(answer.body.error.details.body).toContain('64 KiB')
    }
    expectGood(
      route,
      await send(route, prepared, { ...headers, 'Content-Length': `${LONGEST}` }, bodyOf(LONGEST)),
    )
  })
})
