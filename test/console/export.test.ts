import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'

const HERE = '/console/settings/organization'

it('the export gives an owner everything as a file, also from the sandbox, and needs a proof if the last one is old', async () => {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey)
  const { body: booking } = await book(eventType.id, dayFromNow(3) + 36_000_000)
  const browser = await enter(organization)
  const page = await browser.visit(HERE)
  const file = await browser.send(page, '/console/settings/export')
  expect(file.headers.get('Content-Disposition')).toContain(`${organization.slug}.ndjson`)
  expect(file.headers.get('Cache-Control')).toBe('no-store')
  const lines = file.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ type: 'end' })
  expect(file.text).toContain(booking.id)

  await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE organization_id = ?')
    .bind(organization.id)
    .run()
  const again = await browser.send(page, '/console/settings/export')
  expect([again.headers.get('Content-Disposition'), again.text.includes(booking.id)]).toEqual([null, false])
})

it('the export is closed to everybody else', async () => {
  const organization = await createOrganization()
  const page = await (await enter(organization)).visit(HERE)
  for (const role of ['admin', 'member', 'viewer'] as const) {
    const { userId } = await memberWithRole(organization, role)
    const browser = await enter(organization, userId)
    const own = await browser.visit('/console/settings')
    expect(own.text).not.toContain('/console/settings/export')
    const csrf = /name="csrf" value="([^"]*)"/.exec(own.text)![1]!
    const answer = await browser.visit('/console/settings/export', { form: { csrf } })
    expect(answer.status).toBe(403)
  }
  expect(page.text).toContain('/console/settings/export')
})
