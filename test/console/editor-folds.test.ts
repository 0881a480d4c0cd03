import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import type { EventType } from '../../src/booking/event-types/schema.ts'
import { Fold } from '../../src/console/event-types/fold.tsx'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { formOf, type Visited } from '../support/pages.ts'

const ALL = [
  'Places to choose from',
  'Several durations, seats, guests and group',
  'Reminders and changes',
  'Approval',
  'Waitlist',
]

async function editorOf(input: Record<string, unknown> = {}, tab = '') {
  const organization = await createOrganization()
  const { liveKey: key } = organization
  const { id } = await createEventType(key, input)
  const browser = await enter(organization)
  const at = `/console/event-types/${id}${tab}`
  const read = async () => (await call('GET', `/v1/event-types/${id}`, { key })).body
  return { browser, at, page: await browser.visit(at), read }
}

function foldsOf({ text }: Visited, isOpen: boolean): string[] {
  const found = text.matchAll(/<details class="panel folded"([^>]*)><summary>([^<]+)/g)
  return [...found].flatMap(([, attributes, title]) =>
    / open\b/.test(attributes!) === isOpen ? [title!] : [],
  )
}

describe('the first tab of the editor', () => {
  it('shows eight fields, and folds the others away', async () => {
    const { page, at } = await editorOf({ reminder_intervals: [60, 1440] })
    expect([foldsOf(page, false), foldsOf(page, true)]).toEqual([ALL, []])
    const unfolded = page.text.replaceAll(/<details class="panel folded"[\s\S]*?<\/details>/g, '')
    const [, form] = new RegExp(`action="${at}"[^>]*>([\\s\\S]*?)</form>`).exec(unfolded)!
    const names = [...form!.matchAll(/<(?:input|select|textarea)[^>]* name="(\w+)"/g)].map(([, name]) => name)
    expect(names.filter((name) => !['csrf', 'at', 'updated_at', 'was'].includes(name!))).toEqual([
      'title',
      'slug',
      'description',
      'duration_minutes',
      'active',
      'conferencing_provider',
      'location',
      'custom_meeting_url',
    ])
  })

  it.each([
    [{ places: [{ kind: 'phone_out' }] }, 0],
    [{ duration_options: [30, 60] }, 1],
    [{ max_attendees: 4 }, 1],
    [{ max_guests: 0 }, 1],
    [{ group: 'Talks' }, 1],
    [{ reminder_intervals: [] }, 2],
    [{ reminder_channels: ['email', 'sms'] }, 2],
    [{ follow_up_minutes: 60 }, 2],
    [{ cancel_notice_minutes: 60 }, 2],
    [{ reschedule_notice_minutes: 60 }, 2],
    [{ requires_approval: true }, 3],
    [{ approval_ttl_minutes: 60 }, 3],
    [{ waitlist_enabled: true }, 4],
    [{ waitlist_max: 3 }, 4],
  ])('opens only the fold that contains %o', async (input, at) => {
    const { page } = await editorOf(input)
    expect(foldsOf(page, true)).toEqual([ALL[at]])
  })

  it('opens a fold with an error, names its field, and saves what is in closed folds', async () => {
    const { browser, page, at, read } = await editorOf()
    const send = (typed: Record<string, string>) => {
      const { pairs } = formOf(page, at, 'name="at"')
      return browser.visit(at, {
        form: [...pairs.filter(([name]) => !(name in typed)), ...Object.entries(typed)],
      })
    }
    const refused = await send({ waitlist_ttl_days: 'x', place0_kind: 'custom' })
    expect([refused.status, foldsOf(refused, true)]).toEqual([422, [ALL[0], ALL[4]]])
    expect(refused.text).toContain('href="#waitlist_ttl_days"')
    const text = await send({ duration_other: 'x' })
    expect(foldsOf(text, true)).toEqual([ALL[1]])
    const saved = await send({ title: 'Talk', group: 'Talks', follow_up_minutes: '30' })
    expect(saved.status).toBe(303)
    expect(await read()).toMatchObject({
      title: 'Talk',
      group: 'Talks',
      follow_up_minutes: 30,
      max_guests: 3,
    })
  })

  it('opens the fold that has unsaved changes, after a change of tab', async () => {
    const { browser, page, at } = await editorOf()
    const { fields } = formOf(page, at, 'name="at"')
    const typed = { ...fields, reminders: '60', to: '/hours' }
    const hours = await browser.visit(`${at}/switch`, { form: typed })
    const back = await browser.visit(`${at}/switch`, {
      form: { ...formOf(hours, at, 'name="at"').fields, to: '' },
    })
    expect(foldsOf(back, true)).toEqual([ALL[2]])
  })
})

describe('the availability of an event type', () => {
  const FOLDS = ['Start times and booking window', 'Limits, and calendars that cannot be read']

  it('folds what few change away', async () => {
    const { page } = await editorOf({ minimum_notice_minutes: 60, buffer_after_minutes: 5 }, '/hours')
    expect([foldsOf(page, false), foldsOf(page, true)]).toEqual([FOLDS, []])
  })

  it.each([
    [{ slot_interval_minutes: 15 }, 0],
    [{ booking_window_days: 30 }, 0],
    [{ bookable_from: '2031-05-01' }, 0],
    [{ bookable_until: '2031-05-01' }, 0],
    [{ booking_cap: 3, booking_cap_period: 'daily' }, 1],
    [{ invitee_limit: 1 }, 1],
    [{ calendar_outage: 'closed' }, 1],
  ])('opens only the fold that contains %o', async (input, at) => {
    const { page } = await editorOf(input, '/hours')
    expect(foldsOf(page, true)).toEqual([FOLDS[at]])
  })

  it('opens the fold with an error', async () => {
    const { browser, page, at } = await editorOf({}, '/hours')
    const refused = await browser.send(page, at, { booking_cap: 'many' })
    expect([refused.status, foldsOf(refused, true)]).toEqual([422, [FOLDS[1]]])
    expect(refused.text).toContain('href="#booking_cap"')
  })
})

it('opens the fold of a field with an error, by the name that the form gives it, whatever its value is', () => {
  const value = { reminder_intervals: [1440, 60] } as unknown as EventType
  const shown = {
    value,
    title: 'Reminders',
    names: ['reminder_intervals'] as const,
    formNames: ['reminders'],
  }
  const isOpen = (fields: Record<string, string>) =>
    renderToString(h(Fold, { ...shown, trouble: { fields }, children: null })).includes(' open')
  const errors = ['reminder_intervals', 'reminders', 'reminders.0', 'title']
  expect(errors.map((name) => isOpen({ [name]: 'Wrong.' }))).toEqual([true, true, true, false])
})
