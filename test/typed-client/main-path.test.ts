import { exports } from 'cloudflare:workers'
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'
import type { paths } from '../../dist/typed-client/schema.ts'
import { freshAddress } from '../support/app.ts'
import { createOrganization, dateOf, dayFromNow } from '../support/factories.ts'
import {
  type Api,
  bookSlot,
  look,
  moveAndCancel,
  offer,
  openStarts,
  readFeed,
  tellEvent,
  tellRefusal,
} from './main-path.ts'

function clientOf(key?: string): Api {
  const headers = { 'CF-Connecting-IP': freshAddress(), ...(key && { Authorization: `Bearer ${key}` }) }
  const fetch = (request: Request) => exports.default.fetch(request)
  return createClient<paths>({ baseUrl: 'https://holdfast.test', headers, fetch })
}

it('gives a typed client what its types promise, from the offer to the feed of what happened', async () => {
  const { slug, liveKey } = await createOrganization()
  const [organization, invitee] = [clientOf(liveKey), clientOf()]
  const eventTypeId = await offer(organization, 'intro-call')
  expect(await look(invitee, slug, 'intro-call')).toEqual({ title: 'Intro call', slugs: ['intro-call'] })

  const [first, second, third] = await openStarts(invitee, eventTypeId, dateOf(dayFromNow(3)))
  const { data: booked } = await bookSlot(invitee, eventTypeId, first!)
  expect(booked).toMatchObject({ status: 'confirmed', invitee_timezone: 'UTC', start_time: first })

  const taken = await bookSlot(invitee, eventTypeId, first!)
  expect(taken.error && tellRefusal(taken.error)).toBe(`try ${second}`)
  const wrong = await bookSlot(invitee, eventTypeId, 'tomorrow')
  expect(wrong.error && tellRefusal(wrong.error)).toBe('start_time')

  expect(await moveAndCancel(invitee, booked!, third!)).toEqual(['rescheduled', 'cancelled'])
  expect((await readFeed(organization)).map(tellEvent)).toEqual([
    `Ada Lovelace is confirmed for ${first}`,
    `Ada Lovelace from ${first} to ${third}`,
    `Ada Lovelace is cancelled for ${third}`,
  ])
})
