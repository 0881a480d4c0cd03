import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { answerPage } from '../../src/pages/answer-page.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { browserRequest, formOf, seen, type Visit } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** How often the database was asked for each page, in order of the visits. */
function openLedger() {
  const told: Record<string, number> = {}
  const see = async (name: string, path: string, how: Visit = {}) => {
    const counted = countedEnv(env)
    const request = browserRequest(path, how)
    const visited = await seen(await answerPage(request, counted.env, new URL(request.url).pathname))
    told[`${name}: ${visited.status}`] = counted.trips.count
    return visited
  }
  return { told, see }
}

it('asks the database at most twice for a page, and a few times more where nothing is open or a time is gone', async () => {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true })
  const empty = await createEventType(organization.liveKey, { booking_page_enabled: true }, [])
  const listing = `/book/${organization.slug}`
  const path = `${listing}/${eventType.slug}`
  await book(eventType.id, SLOT + HOUR_MS)
  const { told, see } = openLedger()
  await see('listing', listing)
  await see('first open day', path)
  await see('a month', `${path}?month=${iso(dayFromNow(60)).slice(0, 7)}`)
  const form = formOf(await see('form', `${path}?tz=UTC&time=${iso(SLOT)}`), '/book/')
  await see('never offered', `${path}?tz=UTC&time=${iso(SLOT + 60_000)}`)
  await see('no hours', `${listing}/${empty.slug}`)
  await see('for agents', `${path}.md`)
  const who = { name: 'Ada', email: 'ada@example.com' }
  const answer = await see('sent', form.action, { form: { ...form.fields, ...who } })
  await see('booked', answer.headers.get('location')!)
  await see('taken', form.action, { form: { ...form.fields, key: 'another', ...who } })
  const Cookie = answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('hf_booked='))!
    .split(';')[0]!
  await see('own', `${path}?tz=UTC&time=${iso(SLOT)}`, { headers: { Cookie } })
  expect(told).toEqual({
    'listing: 200': 1,
    'first open day: 200': 2,
    'a month: 200': 2,
    'form: 200': 2,
    'never offered: 200': 5,
    'no hours: 200': 3,
    'for agents: 200': 1,
    'sent: 303': 1,
    'booked: 200': 1,
    'taken: 409': 3,
    'own: 200': 6,
  })
})
