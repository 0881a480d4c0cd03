import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { commitBatch, openDb } from '../../src/platform/db/client.ts'
import { newId } from '../../src/platform/db/ids.ts'
import { patienceWith } from '../../src/platform/db/patience.ts'
import { members, organizations } from '../../src/platform/db/schema/organizations.ts'
import { call } from '../support/app.ts'
import { type Browser, codeFor, enter, signIn } from '../support/console.ts'
import { sentTrips } from '../support/console-trips.ts'
import { createOrganization, type Organization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, wordsOf } from '../support/pages.ts'
import { lettersTo } from '../support/ready-emails.ts'
import { bindShards, organizationIn, silentDatabase } from '../support/shards.ts'
import { emailTo } from '../support/sign-in-email.ts'

const HERE = '/console/settings/address'

function newAddress(): string {
  return `${unique('Owner')}@example.com`
}

async function ownerWithout() {
  const organization = await createOrganization()
  return { organization, browser: await enter(organization) }
}

async function ask(browser: Browser, email: string) {
  return browser.send(await browser.visit(HERE), HERE, { email })
}

async function makeOld({ id }: Organization): Promise<void> {
  const members = 'SELECT id FROM members WHERE organization_id = ?'
  const update = `UPDATE console_sessions SET proven_at = 0 WHERE member_id IN (${members})`
  await env.DB.prepare(update).bind(id).run()
}

async function addressesOf({ id, liveKey }: Organization): Promise<string[]> {
  const { body } = await call('GET', `/v1/organizations/${id}/members`, { key: liveKey })
  return body.data.map(({ user_email }: { user_email: string }) => user_email)
}

it('shows no link to change the address to a member who has one and signed in by a link', async () => {
  const browser = await enter(await createOrganization({ ownerEmail: newAddress() }))
  const page = await browser.visit('/console/settings')
  expect(page.text).not.toContain(`href="${HERE}"`)
  expect(wordsOf(page)).toContain('Sign in with your address to change it.')
})

describe('a member without an address who signed in by a link', () => {
  it('is asked for one in the settings', async () => {
    const { browser } = await ownerWithout()
    const page = await browser.visit('/console/settings')
    expect(page.text).toContain(`href="${HERE}"`)
  })

  it('adds it by a code that is mailed there, and proves themselves with it from then on', async () => {
    const { organization, browser } = await ownerWithout()
    const email = newAddress()
    const asked = await ask(browser, email)
    expect([asked.status, wordsOf(asked).includes(`We sent a code to ${email.toLowerCase()}`)]).toEqual([
      200,
      true,
    ])
    expect(await addressesOf(organization)).toEqual([''])
    const added = await browser.send(asked, HERE, { code: await codeFor(email) })
    expect(added.headers.get('location')).toBe('/console/settings?done=1')
    expect(await addressesOf(organization)).toEqual([email.toLowerCase()])

    await makeOld(organization)
    const proof = await browser.visit('/console/confirm?next=%2Fconsole%2Fsettings')
    expect([proof.status, wordsOf(proof).includes(email.toLowerCase())]).toEqual([200, true])
    const home = await (await signIn(email)).visit('/console/settings')
    expect([home.status, wordsOf(home).includes(email.toLowerCase())]).toEqual([200, true])
    const told = (await lettersTo(email.toLowerCase())).map(({ subject }) => subject)
    expect(told).toEqual(['Your address was added'])
  })

  it('keeps their other ways to sign in, which use the address from then on', async () => {
    const { organization, browser } = await ownerWithout()
    const session = 'SELECT member_id FROM console_sessions WHERE organization_id = ?'
    const [passkey, account, email] = [unique('pk'), unique('oa'), newAddress()]
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO passkeys (id, credential_id, email, member_id, user_handle, public_key, counter, name, used_at, created_at)
         VALUES (?1, ?1, '', (${session.replace('?', '?2')}), 'handle', '-7.key', 0, 'Phone', NULL, 0)`,
      ).bind(passkey, organization.id),
      env.DB.prepare(
        `INSERT INTO openid_accounts (id, issuer, subject_hash, email, member_id, used_at, created_at)
         VALUES (?1, 'https://id.example', ?1, '', (${session.replace('?', '?2')}), NULL, 0)`,
      ).bind(account, organization.id),
    ])
    await browser.send(await ask(browser, email), HERE, { code: await codeFor(email) })
    const kept =
      'SELECT email FROM passkeys WHERE id = ? UNION ALL SELECT email FROM openid_accounts WHERE id = ?'
    const { results } = await env.DB.prepare(kept).bind(passkey, account).all()
    expect(results).toEqual([{ email: email.toLowerCase() }, { email: email.toLowerCase() }])
  })

  it('gets the code in an email without a link, since it signs nobody in', async () => {
    const { browser } = await ownerWithout()
    const email = newAddress()
    await ask(browser, email)
    const letter = (await emailTo(email.toLowerCase()))!
    expect(letter.to).toBe(email.toLowerCase())
    expect(letter.text).toContain(await codeFor(email))
    expect(letter.text).not.toContain('/console/sign-in/link')
  })

  it('adds nothing by a wrong code, nor by one that another session requested', async () => {
    const { organization, browser } = await ownerWithout()
    const other = await enter(organization)
    const email = newAddress()
    const asked = await ask(browser, email)
    const code = await codeFor(email)
    const wrong = await browser.send(asked, HERE, {
      code: String((Number(code) + 1) % 1_000_000).padStart(6, '0'),
    })
    expect([wrong.status, wordsOf(wrong).includes('This code is wrong')]).toEqual([422, true])
    const sealed = formOf(asked, HERE).fields.asked!
    const borrowed = await other.send(await other.visit(HERE), HERE, { asked: sealed, code })
    expect(borrowed.status).toBe(422)
    expect(await addressesOf(organization)).toEqual([''])
  })

  it('cannot add one half an hour after the link was opened, and reads what to do then', async () => {
    const { organization, browser } = await ownerWithout()
    const email = newAddress()
    const asked = await ask(browser, email)
    await makeOld(organization)
    const late = await browser.send(asked, HERE, { code: await codeFor(email) })
    expect([late.status, wordsOf(late).includes('Ask the operator of this service for a new link')]).toEqual([
      403,
      true,
    ])
    expect(await addressesOf(organization)).toEqual([''])
  })

  it('does not get the address of a colleague, nor a second one', async () => {
    const { organization, browser } = await ownerWithout()
    const { userId } = await memberWithRole(organization, 'admin')
    const theirs = `${userId}@example.com`
    const refused = await browser.send(await ask(browser, theirs), HERE, { code: await codeFor(theirs) })
    expect([refused.status, wordsOf(refused).includes('A colleague already uses this address')]).toEqual([
      422,
      true,
    ])

    const [one, two] = [newAddress(), newAddress()]
    const pages = [await ask(browser, one), await ask(browser, two)]
    await browser.send(pages[0]!, HERE, { code: await codeFor(one) })
    const second = await browser.send(pages[1]!, HERE, { code: await codeFor(two) })
    expect([second.status, wordsOf(second).includes('You signed in with a link')]).toEqual([403, true])
    expect((await addressesOf(organization)).toSorted()).toEqual([one.toLowerCase(), theirs].toSorted())
  })
})

describe('a member with an address', () => {
  async function memberOfTwo() {
    const first = await createOrganization()
    const old = `${(await memberWithRole(first, 'admin')).userId}@example.com`
    const organizations = [first, await createOrganization({ ownerEmail: old })] as const
    const browser = await signIn(old)
    await browser.send(
      await browser.visit('/console/organizations'),
      '/console/organizations',
      {},
      organizations[0].id,
    )
    return { organizations, old, browser }
  }

  it('changes it in all their organizations by a code; both addresses get an email, and other sessions end', async () => {
    const { organizations, old, browser } = await memberOfTwo()
    const other = await signIn(old)
    const email = newAddress()
    const kept = `INSERT INTO passkeys (id, credential_id, email, member_id, user_handle, public_key, counter, name, used_at, created_at)
         VALUES (?, ?, ?, NULL, 'handle', '-7.key', 0, 'Phone', NULL, 0)`
    await env.DB.prepare(kept).bind(unique('pk'), unique('credential'), old).run()
    const changed = await browser.send(await ask(browser, email), HERE, { code: await codeFor(email) })
    expect(changed.headers.get('location')).toBe('/console/settings?done=1')
    for (const one of organizations) expect(await addressesOf(one)).toContain(email.toLowerCase())
    expect((await other.visit('/console/settings')).headers.get('location')).toContain('/console/sign-in')
    expect(wordsOf(await browser.visit('/console/settings/passkeys'))).toContain('Phone')
    const [told] = await lettersTo(old)
    expect([told?.subject, told?.text.includes(email.toLowerCase())]).toEqual([
      'Your address was changed',
      true,
    ])
    expect((await lettersTo(email.toLowerCase())).map(({ subject }) => subject)).toEqual([
      'Your address was changed',
    ])
    const log = await call('GET', '/v1/activity?action=member.address_changed', {
      key: organizations[1].liveKey,
    })
    expect(log.body.data).toMatchObject([{ changes: { user_email: [old, email.toLowerCase()] } }])
    expect((await signIn(email)).cookies.size).toBeGreaterThan(0)
    await expect(signIn(old)).rejects.toThrow('not signed in')
  })

  it('changes it in more than a hundred places at once', async () => {
    const { organizations: owned, old, browser } = await memberOfTwo()
    const db = openDb(env, 'decide')
    const [place] = await db.select().from(organizations).where(eq(organizations.id, owned[0].id))
    const [member] = await db.select().from(members).where(eq(members.userEmail, old))
    const ids = Array.from({ length: 101 }, () => newId(owned[0].id))
    const further = ids.flatMap((id) => [
      db.insert(organizations).values({ ...place!, id, slug: id, ownerUserId: null }),
      db.insert(members).values({ ...member!, id: newId(id), organizationId: id }),
    ])
    await commitBatch(db, further)
    const email = newAddress().toLowerCase()
    const changed = await browser.send(await ask(browser, email), HERE, { code: await codeFor(email) })
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/console/settings?done=1'])
    expect(await db.$count(members, eq(members.userEmail, email))).toBe(103)
  })

  it('cannot take a colleague’s, which is revealed only after the code; confirms their identity again after half an hour', async () => {
    const { organizations, old, browser } = await memberOfTwo()
    const { userId } = await memberWithRole(organizations[1], 'member')
    const theirs = `${userId}@example.com`
    const asked = await ask(browser, theirs)
    expect([asked.status, wordsOf(asked).includes('colleague')]).toEqual([200, false])
    const refused = await browser.send(asked, HERE, { code: await codeFor(theirs) })
    expect([refused.status, wordsOf(refused).includes('A colleague already uses this address')]).toEqual([
      422,
      true,
    ])
    expect([await addressesOf(organizations[0]), await lettersTo(old)]).toEqual([
      expect.arrayContaining([old]),
      [],
    ])
    const same = await ask(browser, old)
    expect([same.status, wordsOf(same).includes('This already is your address')]).toEqual([422, true])
    await env.DB.prepare('UPDATE console_sessions SET proven_at = 0 WHERE email = ?').bind(old).run()
    expect((await browser.visit(HERE)).headers.get('location')).toContain('/console/confirm')
  })

  it('changes it once if two codes arrive at the same time, and each costs two round trips', async () => {
    const { organizations, browser } = await memberOfTwo()
    const [one, two] = [newAddress(), newAddress()]
    const pages = [await ask(browser, one), await ask(browser, two)]
    const codes = [await codeFor(one), await codeFor(two)]
    const trips = await Promise.all(
      pages.map((page, at) => sentTrips(browser, page, HERE, { code: codes[at]! })),
    )
    expect(trips.map(({ status }) => status).toSorted()).toEqual([303, expect.any(Number)])
    expect(trips.find(({ status }) => status === 303)!.trips).toBe(2)
    const addresses = new Set((await Promise.all(organizations.map(addressesOf))).flat())
    expect([one, two].filter((email) => addresses.has(email.toLowerCase()))).toHaveLength(1)
  })
})

describe('a member of organizations in several databases', () => {
  it('keeps the address in all of them while one does not answer, and changes it with the same code afterwards', async () => {
    await bindShards()
    const silent = silentDatabase(env.SECOND)
    patienceWith(silent.DB, 100, 20)
    silent.answer()
    Object.assign(env, { DB_1: silent.DB })
    const old = `${unique('owner')}@example.com`
    const organizations = [
      await organizationIn(0, { ownerEmail: old }),
      await organizationIn(1, { ownerEmail: old }),
    ]
    const browser = await signIn(old)
    const choice = await browser.visit('/console/organizations')
    await browser.send(choice, '/console/organizations', {}, organizations[0]!.id)
    const email = newAddress()
    const asked = await ask(browser, email)
    const code = await codeFor(email)
    silent.fall()
    const refused = await browser.send(asked, HERE, { code })
    silent.answer()
    const kept = await Promise.all(organizations.map(addressesOf))
    expect([refused.status, kept]).toEqual([503, [[old], [old]]])
    const changed = await browser.send(asked, HERE, { code })
    const moved = [email.toLowerCase()]
    expect([changed.status, await Promise.all(organizations.map(addressesOf))]).toEqual([303, [moved, moved]])
  })
})
