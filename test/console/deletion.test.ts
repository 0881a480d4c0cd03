import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { deletionPath } from '../support/deletions.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { wordsOf } from '../support/pages.ts'

const HERE = '/console/settings/delete'

it('an owner deletes the organization by its name and a fresh proof, and can take that back', async () => {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey)
  await book(eventType.id, dayFromNow(3) + 36_000_000)
  const row = await env.DB.prepare('SELECT name FROM organizations WHERE id = ?')
    .bind(organization.id)
    .first()
  const browser = await enter(organization)
  expect((await browser.visit('/console/settings/organization')).text).toContain(`href="${HERE}"`)
  const page = await browser.visit(HERE)
  expect(wordsOf(page)).toContain('Upcoming bookings are cancelled: 1.')
  const wrong = await browser.send(page, HERE, { name: 'another' })
  expect([wrong.status, wordsOf(wrong).includes('This is not the name')]).toEqual([422, true])

  const prove = (at: number) =>
    env.DB.prepare('UPDATE console_sessions SET proven_at = ? WHERE organization_id = ?')
      .bind(at, organization.id)
      .run()
  const typed = { name: String(row!.name) }
  await prove(0)
  const unproven = await browser.send(page, HERE, typed)
  expect(unproven.status).not.toBe(303)
  expect((await callAsService('GET', `${deletionPath(organization.id)}/deletion`)).status).toBe(404)

  await prove(Date.now())
  const asked = await browser.follow(await browser.send(page, HERE, typed))
  expect(wordsOf(asked)).toContain('This organization will be deleted on')
  expect((await callAsService('GET', `${deletionPath(organization.id)}/deletion`)).body).toMatchObject({
    requested_by: 'owner',
    status: 'scheduled',
  })
  const kept = await browser.follow(await browser.send(asked, `${HERE}/take-back`))
  expect(wordsOf(kept)).toContain('The organization is kept')
  expect((await book(eventType.id, dayFromNow(3) + 39_600_000)).status).toBe(201)
})

it('nobody else can delete it, and an owner sees a deletion by the operator as final', async () => {
  const organization = await createOrganization()
  const { userId } = await memberWithRole(organization, 'admin')
  const admin = await enter(organization, userId)
  expect((await admin.visit(HERE)).status).toBe(403)
  const csrf = /name="csrf" value="([^"]*)"/.exec((await admin.visit('/console/settings')).text)![1]!
  for (const path of [HERE, `${HERE}/take-back`]) {
    expect((await admin.visit(path, { form: { csrf, name: 'Acme' } })).status).toBe(403)
  }
  await callAsService('DELETE', deletionPath(organization.id))
  const page = await (await enter(organization)).visit(HERE)
  expect(wordsOf(page)).toContain('The operator of this service deletes it.')
  expect(page.text).not.toContain('take-back')
})
