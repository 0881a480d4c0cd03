import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, type Visited, wordsOf } from '../support/pages.ts'

async function editing() {
  const organization = await createOrganization()
  const { liveKey: key } = organization
  const questions = [{ key: 'topic', label: 'Topic', type: 'choice', required: true, options: ['A', 'B'] }]
  const refund_policy = [{ until_minutes_before: 60, percent: 50 }]
  const lengths = { duration_options: [60, 30], reminder_intervals: [1440, 60] }
  const { id } = await createEventType(key, { title: 'Talk', questions, refund_policy, ...lengths })
  const browser = await enter(organization)
  const own = `/console/event-types/${id}`
  const read = async () => (await call('GET', `/v1/event-types/${id}`, { key })).body
  /** Sends the editor's form with these fields to another of its tabs, as a button of its tabs does. */
  const switchTo = (page: Visited, to: string, typed: Record<string, string> = {}) =>
    browser.visit(`${own}/switch`, { form: withFields(page, own, { ...typed, to }) })
  return { organization, key, id, browser, own, read, switchTo }
}

function withFields(page: Visited, own: string, typed: Readonly<Record<string, string>>): [string, string][] {
  const { pairs } = formOf(page, own, 'name="at"')
  return [...pairs.filter(([name]) => !(name in typed)), ...Object.entries(typed)]
}

describe('unsaved changes in the editor of an event type', () => {
  it('survive a change of tab, are marked, and one button saves those of all tabs', async () => {
    const { browser, own, read, switchTo, key, id } = await editing()
    const basics = await browser.visit(own)
    const hours = await switchTo(basics, '/hours', { title: 'Long talk' })
    expect([hours.status, wordsOf(hours).includes('Not saved yet: Basics.')]).toEqual([200, true])
    expect((await read()).title).toBe('Talk')
    const payment = await switchTo(hours, '/payment', {
      d6_from: '10:00',
      d6_to: '12:00',
      buffer_after_minutes: '15',
    })
    expect(wordsOf(payment)).toContain('Not saved yet: Basics and Availability.')
    const back = await switchTo(payment, '', { price_amount: '25' })
    expect(formOf(back, own, 'name="at"').fields.title).toBe('Long talk')
    const again = await switchTo(back, '/hours')
    expect(formOf(again, own, 'name="at"').fields.buffer_after_minutes).toBe('15')
    expect(again.text).toContain('name="d6_from" value="10:00"')
    const saved = await browser.visit(`${own}/hours`, { form: withFields(again, own, {}) })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${own}/hours?done=saved`])
    expect(await read()).toMatchObject({ title: 'Long talk', buffer_after_minutes: 15, price_amount: 2500 })
    const { body } = await call('GET', `/v1/event-types/${id}/availability`, { key })
    const times = { day_of_week: 6, start_time: '10:00', end_time: '12:00' }
    expect(body.rules).toContainEqual(expect.objectContaining(times))
  })

  it('are not carried along if nothing was changed: each tab has its own address', async () => {
    const { browser, own, switchTo } = await editing()
    for (const from of ['', '/hours', '/hosts', '/form', '/payment', '/look']) {
      const answer = await switchTo(await browser.visit(own + from), '/payment')
      expect([from, answer.status, answer.headers.get('location')]).toEqual([from, 303, `${own}/payment`])
    }
  })

  it('lead back to the tab with the error if one is refused, and nothing is saved', async () => {
    const { browser, own, read, switchTo } = await editing()
    const form = await switchTo(await browser.visit(own), '/look', { title: '' })
    const refused = await browser.visit(`${own}/look`, { form: withFields(form, own, { color: '#112233' }) })
    expect([refused.status, refused.text.includes('id="title-error"')]).toEqual([422, true])
    expect(formOf(refused, own, 'name="at"').fields['/look:color']).toBe('#112233')
    expect((await read()).color).not.toBe('#112233')
    const saved = await browser.visit(own, { form: withFields(refused, own, { title: 'Mended' }) })
    expect(saved.status).toBe(303)
    expect(await read()).toMatchObject({ title: 'Mended', color: '#112233' })
  })

  it('say who else changed the event type, and are saved the second time', async () => {
    const { browser, own, read, switchTo, key, id } = await editing()
    const form = await switchTo(await browser.visit(own), '/look', { title: 'Mine' })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { max_guests: 7 } })
    const refused = await browser.visit(`${own}/look`, { form: withFields(form, own, { color: '#112233' }) })
    expect([refused.status, refused.text.includes('changed this at')]).toEqual([409, true])
    const saved = await browser.visit(`${own}/look`, { form: withFields(refused, own, {}) })
    expect(saved.status).toBe(303)
    expect(await read()).toMatchObject({ title: 'Mine', color: '#112233', max_guests: 7 })
  })

  it('are kept while a host is added', async () => {
    const { organization, browser, own, read, switchTo } = await editing()
    const { id: member_id } = await memberWithRole(organization, 'member')
    const hosts = await switchTo(await browser.visit(own), '/hosts', { title: 'Mine' })
    const at = `${own}/hosts`
    const added = await browser.visit(`${at}/add`, { form: withFields(hosts, at, { member_id }) })
    expect(wordsOf(added)).toContain('Not saved yet: Basics.')
    const saved = await browser.visit(`${own}/hosts`, { form: withFields(added, own, {}) })
    expect([saved.status, wordsOf(saved)]).toEqual([303, ''])
    expect((await read()).title).toBe('Mine')
  })
})

describe('the hosts of an event type', () => {
  async function withHosts() {
    const edited = await editing()
    const { organization, key, id, browser, own } = edited
    const at = `${own}/hosts`
    const hosts: string[] = []
    for (let nth = 0; nth < 2; nth++) {
      const { id: member_id } = await memberWithRole(organization, 'member')
      const added = await call('POST', `/v1/event-types/${id}/hosts`, { key, body: { member_id } })
      hosts.push(added.body.id)
    }
    const [first, second] = hosts as [string, string]
    const listed = async () => {
      const { body } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
      return (body.data as { id: string; priority: number; weight: number }[]).toSorted(
        (a, b) => hosts.indexOf(a.id) - hosts.indexOf(b.id),
      )
    }
    const save = (page: Visited, typed: Record<string, string>) =>
      browser.visit(at, { form: withFields(page, at, typed) })
    return { ...edited, at, first, second, listed, save }
  }

  async function changesIn(key: string, id: string) {
    const { body } = await call('GET', `/v1/activity?resource_id=${id}&action=host.updated`, { key })
    return body.data.map(({ changes }: { changes: object }) => changes)
  }

  it('are saved with all tabs, only those whose fields were changed', async () => {
    const { browser, own, key, id, read, at, first, second, listed, switchTo } = await withHosts()
    const typed = { [`priority-${first}`]: '3', [`part-${first}`]: 'required' }
    const basics = await switchTo(await browser.visit(at), '', typed)
    expect(wordsOf(basics)).toContain('Not saved yet: Hosts.')
    const saved = await browser.visit(own, { form: withFields(basics, own, { title: 'With hosts' }) })
    expect(saved.status).toBe(303)
    expect(await listed()).toMatchObject([
      { id: first, priority: 3, part: 'required' },
      { id: second, priority: 50, part: 'pool' },
    ])
    expect((await read()).title).toBe('With hosts')
    const [told, ...more] = await changesIn(key, id)
    expect([told, more]).toMatchObject([{ priority: 3, part: 'required' }, []])
  })

  it('show an error at the field of each host, and nothing is saved', async () => {
    const { browser, own, read, at, first, second, listed, switchTo } = await withHosts()
    const typed = { [`priority-${first}`]: '0', [`weight-${second}`]: 'much', [`priority-${second}`]: '9' }
    const basics = await switchTo(await browser.visit(at), '', typed)
    const refused = await browser.visit(own, { form: withFields(basics, own, { title: 'Not this' }) })
    expect(refused.status).toBe(422)
    for (const field of [`priority-${first}`, `weight-${second}`]) {
      expect(refused.text).toContain(`id="${field}-error"`)
    }
    expect(refused.text).not.toContain(`id="priority-${second}-error"`)
    expect(formOf(refused, at, 'name="at"').fields).toMatchObject(typed)
    expect((await read()).title).toBe('Talk')
    expect(await listed()).toMatchObject([{ priority: 50 }, { priority: 50, weight: 100 }])
  })

  it('say who else changed one of them, and are saved the second time beside that change', async () => {
    const { browser, key, id, at, first, second, listed, save } = await withHosts()
    const page = await browser.visit(at)
    const path = `/v1/event-types/${id}/hosts/${first}`
    await call('PATCH', path, { key, body: { weight: 7, priority: 8 } })
    const refused = await save(page, { [`priority-${first}`]: '3', [`priority-${second}`]: '4' })
    expect([refused.status, refused.text.includes('changed this at')]).toEqual([409, true])
    expect((await save(refused, {})).status).toBe(303)
    expect(await listed()).toMatchObject([
      { priority: 3, weight: 7 },
      { priority: 4, weight: 100 },
    ])
  })

  it('keep what is typed for them while another is removed', async () => {
    const { browser, at, first, second, listed, save } = await withHosts()
    const typed = { [`priority-${first}`]: '3', [`priority-${second}`]: '4' }
    const form = withFields(await browser.visit(at), at, typed)
    const removed = await browser.visit(`${at}/${second}`, { form })
    expect(wordsOf(removed)).toContain('Not saved yet: Hosts.')
    expect(await listed()).toMatchObject([{ id: first, priority: 50 }])
    expect((await save(removed, {})).status).toBe(303)
    expect(await listed()).toMatchObject([{ id: first, priority: 3 }])
  })

  it('fit in the form if there are many: it takes 512 KiB', async () => {
    const { browser, at, first, listed, save } = await withHosts()
    const typed = { [`priority-${first}`]: '3' }
    const page = await browser.visit(at)
    const [saved, refused] = [
      await save(page, { ...typed, more: 'x'.repeat(500 * 1024) }),
      await save(page, { ...typed, more: 'x'.repeat(512 * 1024) }),
    ]
    expect([saved.status, refused.status, wordsOf(refused).includes('512 KiB')]).toEqual([303, 400, true])
    expect((await listed())[0]).toMatchObject({ priority: 3 })
  })

  it('do not count as changed by others while one is added', async () => {
    const { organization, browser, at, own, first, listed, switchTo } = await withHosts()
    const { id: member_id } = await memberWithRole(organization, 'member')
    const form = withFields(await browser.visit(at), at, { [`priority-${first}`]: '3', member_id })
    const added = await browser.visit(`${at}/add`, { form })
    const undone = await switchTo(added, '', { [`priority-${first}`]: '50' })
    expect([undone.status, undone.headers.get('location')]).toEqual([303, own])
    const saved = await browser.visit(at, { form: withFields(added, at, {}) })
    expect([saved.status, (await listed()).length]).toEqual([303, 3])
    expect((await listed()).filter(({ priority }) => priority === 3)).toMatchObject([{ id: first }])
  })
})

describe('the second host of an event type', () => {
  it('asks whether any one of them takes a booking or all of them do', async () => {
    const { organization, browser, own, read } = await editing()
    const members = await Promise.all([0, 1, 2].map(() => memberWithRole(organization, 'member')))
    const hosts = () => browser.visit(`${own}/hosts`)
    expect((await hosts()).text).not.toContain('name="meets"')
    const add = async (chosen: Record<string, string>) =>
      browser.visit(`${own}/hosts/add`, { form: withFields(await hosts(), `${own}/hosts`, chosen) })
    await add({ member_id: members[0]!.id })
    expect((await read()).assignment_strategy).toBe('none')
    const second = await hosts()
    expect(wordsOf(second)).toContain('Any one of the hosts')
    await add({ member_id: members[1]!.id, meets: 'any' })
    expect((await read()).assignment_strategy).toBe('round_robin')
    expect((await hosts()).text).not.toContain('name="meets"')
  })

  it('joins the first one if all of them meet', async () => {
    const { organization, browser, own, read } = await editing()
    const members = await Promise.all([0, 1].map(() => memberWithRole(organization, 'member')))
    for (const { id: member_id } of members) {
      const form = withFields(await browser.visit(`${own}/hosts`), `${own}/hosts`, {
        member_id,
        meets: 'all',
      })
      await browser.visit(`${own}/hosts/add`, { form })
    }
    expect((await read()).assignment_strategy).toBe('none')
  })
})
