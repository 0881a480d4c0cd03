import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { createOrganization, type Organization, unique } from '../support/factories.ts'
import { lettersTo } from '../support/outbox.ts'
import { formOf, visit, wordsOf } from '../support/pages.ts'

async function invited(organization: Organization, email = `${unique('Grace')}@Example.com`) {
  const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' }
  const { body } = await callAsService('POST', `/v1/organizations/${organization.id}/invitations`, {
    headers,
    body: { email, role: 'admin' },
  })
  const [letter] = await lettersTo(organization.testKey, email, 1)
  const link = /^http\S+(\/invitations\?token=\S+)$/m.exec(letter!.body)![1]!
  return { id: body.id as string, email, letter: letter!, link }
}

async function membersOf({ id, liveKey }: Organization): Promise<any[]> {
  return (await call('GET', `/v1/organizations/${id}/members`, { key: liveKey })).body.data
}

async function joinNamed(userId: string, email: string, { id }: Organization): Promise<void> {
  await env.DB.prepare(
    "INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at) VALUES (?, ?, ?, ?, 'viewer', 1, 1)",
  )
    .bind(unique('member'), id, userId, email)
    .run()
}

function accept(link: string, page: Awaited<ReturnType<typeof visit>>) {
  const { action, fields } = formOf(page, '/invitations')
  return visit(action, { form: fields, headers: { Referer: link } })
}

describe('an invitation', () => {
  it('is accepted by the link in its email and a button, and not by opening the link alone', async () => {
    const organization = await createOrganization({ ownerEmail: 'owner@example.com' })
    const { email, letter, link } = await invited(organization)
    expect(letter.subject).toMatch(/^Invitation to join Acme/)
    expect(letter.reply_to).toBe('owner@example.com')
    const page = await visit(link)
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(wordsOf(page)).toMatch(/You are invited to join Acme.* as an administrator/)
    expect(wordsOf(page)).toContain(email)
    expect(await membersOf(organization)).toHaveLength(1)
    const answer = await accept(link, page)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, link])
    expect(await membersOf(organization)).toContainEqual(
      expect.objectContaining({ user_id: email.toLowerCase(), user_email: email, role: 'admin' }),
    )
    const after = await visit(link)
    expect(wordsOf(after)).toContain('You are now a member of Acme')
    expect(after.text).toContain(`href="${env.PUBLIC_URL}/console"`)
    expect((await accept(link, page)).status).toBe(409)
    expect(await membersOf(organization)).toHaveLength(2)
  })

  it("speaks the reader's language, and looks like the organization", async () => {
    const organization = await createOrganization()
    await call('PATCH', '/v1/branding', {
      key: organization.liveKey,
      body: { logo_url: 'https://cdn.example.com/logo.png', accent_color: '#b91c1c' },
    })
    const { link } = await invited(organization)
    const page = await visit(link, { headers: { 'Accept-Language': 'de' } })
    expect(wordsOf(page)).toContain('Dem Team beitreten')
    expect(page.text).toContain('https://cdn.example.com/logo.png')
    expect(page.text).toContain('tint-b91c1c')
  })

  it('says that it expired or was revoked, or that the reader is already a member', async () => {
    const organization = await createOrganization()
    const late = await invited(organization)
    const first = await visit(late.link)
    await env.DB.prepare('UPDATE invitations SET expires_at = 1 WHERE id = ?').bind(late.id).run()
    expect(wordsOf(await visit(late.link))).toContain('This invitation has expired')
    const refused = await accept(late.link, first)
    expect([refused.status, wordsOf(refused).includes('has expired')]).toEqual([400, true])

    const withdrawn = await invited(organization)
    await callAsService('DELETE', `/v1/organizations/${organization.id}/invitations/${withdrawn.id}`, {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
    })
    expect(wordsOf(await visit(withdrawn.link))).toContain('This invitation was revoked')

    const there = await invited(organization)
    await joinNamed(there.email.toLowerCase(), '', organization)
    const again = await accept(there.link, await visit(there.link))
    expect([again.status, wordsOf(again).includes('You are already a member of Acme')]).toEqual([409, true])
  })

  it('is for the current owner of the address, even if a colleague had it before', async () => {
    const organization = await createOrganization()
    const { email, link } = await invited(organization)
    await joinNamed(email.toLowerCase(), 'new.name@example.com', organization)
    expect((await accept(link, await visit(link))).status).toBe(303)
    expect((await membersOf(organization)).map(({ user_email }) => user_email)).toEqual(
      expect.arrayContaining(['new.name@example.com', email]),
    )
    expect(await membersOf(organization)).toHaveLength(3)
  })

  it('can still be accepted after a failure, of which it gives no details', async () => {
    const organization = await createOrganization()
    const { email, link } = await invited(organization)
    await env.DB.prepare(
      `CREATE TRIGGER busy BEFORE INSERT ON members WHEN NEW.user_email = '${email}'
       BEGIN SELECT RAISE(ABORT, 'STALE'); END`,
    ).run()
    const failed = await accept(link, await visit(link))
    expect([failed.status, wordsOf(failed).includes('Something went wrong')]).toEqual([409, true])
    expect(wordsOf(failed)).not.toContain('already belong')
    await env.DB.prepare('DROP TRIGGER busy').run()
    expect((await accept(link, failed)).status).toBe(303)
  })

  it('is sent and can be opened even if the organization’s time zone is invalid', async () => {
    const organization = await createOrganization()
    await env.DB.prepare("UPDATE organizations SET timezone = 'Mars/Base' WHERE id = ?")
      .bind(organization.id)
      .run()
    const { letter, link } = await invited(organization)
    expect(letter.body).toMatch(/valid until .* UTC\.$/m)
    expect((await visit(link)).status).toBe(200)
  })

  it('opens for nobody without its token', async () => {
    for (const path of ['/invitations', '/invitations?token=nope']) {
      const page = await visit(path)
      expect([page.status, wordsOf(page).includes('This link does not work')]).toEqual([404, true])
    }
    const posted = await visit('/invitations', { form: { token: 'nope' } })
    expect(posted.status).toBe(404)
  })
})
