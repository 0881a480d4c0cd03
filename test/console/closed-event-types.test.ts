import { describe, expect, it } from 'vitest'
import { monthOf } from '../../src/engine/schedule/schedule.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { connectAccount } from '../support/payments.ts'
import { run } from '../support/run.ts'

const WARNING = 'It has a price, but payments are not set up'
const BADGE = `<span class="badge warn">${WARNING}</span>`

async function screensOf(price: number | null) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { price_amount: price })
  const browser = await enter(organization)
  const screens = ['/console/start', '/console/event-types', `/console/event-types/${id}/payment`]
  const read = async () => {
    const pages = []
    for (const path of screens) pages.push((await browser.visit(path)).text)
    return pages
  }
  return { organization, browser, id, read }
}

describe('a price without a connected payment provider', () => {
  it('causes a warning on the start, in the list and when it is saved, until the provider accepts payments', async () => {
    const { organization, read } = await screensOf(5_000)
    const [start, list, form] = await read()
    for (const page of [start, list, form]) {
      expect(page).toContain(WARNING)
      expect(page).toContain('href="/console/payments/provider"')
    }
    expect(list).toContain(BADGE)
    await connectAccount(organization)
    for (const page of await read()) {
      expect(page).not.toContain(WARNING)
      expect(page).not.toContain(BADGE)
    }
    await run('UPDATE payment_accounts SET disconnected_at = 1 WHERE organization_id = ?', organization.id)
    for (const page of await read()) expect(page).toContain(WARNING)
  })

  it('causes a warning as soon as it is saved', async () => {
    const { browser, id } = await screensOf(null)
    const at = `/console/event-types/${id}/payment`
    const page = await browser.visit(at)
    expect(page.text).not.toContain(WARNING)
    const saved = await browser.follow(await browser.send(page, at, { price_amount: '49.00' }))
    expect(saved.text).toContain(WARNING)
  })

  it('causes no warning if the event type is free or inactive', async () => {
    const { organization, read, id } = await screensOf(null)
    for (const page of await read()) expect(page).not.toContain(WARNING)
    await run('UPDATE event_types SET price_amount = 5000, active = 0 WHERE id = ?', id)
    for (const page of await read()) expect(page).not.toContain(WARNING)
    expect(organization.id).toBeTruthy()
  })
})

describe('an event type that nobody can book', () => {
  it('says so on the start, in the list and in its editor, with where to mend it', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' }, [])
    await run(
      'INSERT INTO booking_quotas (organization_id, month, bookings, quota) VALUES (?, ?, 10, 10000)',
      organization.id,
      monthOf(Date.now()),
    )
    const browser = await enter(organization)
    for (const path of ['/console/start', '/console/event-types', `/console/event-types/${id}/hours`]) {
      const { text } = await browser.visit(path)
      expect(text).toContain('This month’s bookings of the plan are used up')
      expect(text).toContain('href="/console/payments/plan"')
      expect(text).toContain('The event type has no hosts')
      expect(text).toContain(`href="/console/event-types/${id}/hosts"`)
      expect(text).toContain('No hours are set')
    }
  })
})
