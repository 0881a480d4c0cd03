import { beforeAll, describe, expect, it } from 'vitest'
import { calendarsTexts } from '../../../src/platform/i18n/console/calendars.ts'
import { textsOf } from '../../../src/platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../../src/platform/i18n/console/shell.ts'
import { teamTexts } from '../../../src/platform/i18n/console/team.ts'
import { localeOf } from '../../../src/platform/i18n/locale.ts'
import { fill } from '../../../src/platform/i18n/plural.ts'
import { CALDAV_USERS, makeCalendar, putEvent } from '../../support/caldav.ts'
import { emailTo, HOME, openPractice, radicale, sendForm, visit } from './stage.ts'
import { WAYS } from './ways.ts'

const { ada, grace } = CALDAV_USERS
const DAY_MS = 86_400_000
/** Noon of a day next week, which is daytime in Berlin. */
const NOON = (Math.floor(Date.now() / DAY_MS) + 7.5) * DAY_MS
const DAY = `${HOME}/console/calendar?view=day&from=${new Date(NOON).toISOString().slice(0, 10)}`
const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')
const linkTo = (path: string, email: string) => new RegExp(`http://\\S+${path}\\S*`).exec(email)![0]

describe('a colleague', () => {
  beforeAll(async () => {
    await makeCalendar(radicale.url, ada, 'owner')
    const own = await makeCalendar(radicale.url, grace, 'own')
    await putEvent(own, grace, 'lunch', `DTSTART:${stamp(NOON)}`, `DTEND:${stamp(NOON + 3_600_000)}`)
  })

  it.each(WAYS)('comes in by email and connects a calendar of their own alone: %s', async (name, way) => {
    const practice = await openPractice(way.language)
    const { emails } = localeOf(way.language)
    const texts = textsOf(way, calendarsTexts)
    const subject = fill(emails.connectCalendarSubject, { org: 'Weiss Practice' })
    const email = `grace-${crypto.randomUUID()}@practice.example`
    const server = { preset: 'custom', server_url: `${radicale.url}/` }
    const of = await practice.ask('POST', '/v1/calendars/caldav/connect', { ...ada, ...server })

    // The owner invites them by email, and they accept.
    const owner = await practice.enter(way)
    const { email: emailLabel, send } = textsOf(way, teamTexts)
    await owner.page.goto(`${HOME}/console/team/invite`)
    await owner.page.getByLabel(emailLabel).fill(email)
    await owner.page.getByRole('button', { name: send }).click()
    await owner.page.getByText(email).waitFor()
    const colleague = await visit(way)
    const { page } = colleague
    const look = (screen: string) => colleague.look(`owner-colleague-${screen} ${name}`)
    await page.goto(linkTo('/invitations', await emailTo(email)))
    await page.getByRole('button', { name: emails.joinTeam }).click()
    await page.getByRole('link', { name: emails.openConsole }).click()

    // The owner asks them to connect their calendar.
    const members = await practice.ask('GET', `/v1/organizations/${practice.id}/members`)
    const { id: memberId } = members.data.find((one: { user_email: string }) => one.user_email === email)
    await owner.page.goto(`${HOME}/console/calendars/connect?member=${memberId}`)
    await owner.page.getByRole('button', { name: texts.invite }).click()
    await owner.page.getByText(texts.invited).waitFor()
    await owner.leave()

    // They do, and see what it closes.
    await page.goto(linkTo('/console/calendars/connect', await emailTo(email, subject)))
    await look('connect')
    await page.getByRole('link', { name: texts.caldav }).click()
    await page.getByLabel(texts.server).fill(server.server_url)
    await page.getByLabel(texts.username).fill(grace.username)
    await page.getByLabel(texts.password).fill(grace.password)
    await page.getByRole('button', { name: texts.connectNow }).click()
    await page.getByText(texts.connected).waitFor()
    await look('connected')
    await page.goto(DAY)
    await page.locator('.planner .is-busy').first().waitFor({ state: 'attached' })

    // The owner's is neither shown to them nor changed by them.
    await page.goto(`${HOME}/console/calendars`)
    expect(await page.getByText(grace.username, { exact: true }).count()).toBeGreaterThan(0)
    expect(await page.getByText(ada.username).count()).toBe(0)
    const { forbiddenTitle, notFoundTitle } = textsOf(way, shellTexts)
    const disconnect = `/console/calendars/${of.id}/disconnect`
    expect((await page.goto(HOME + disconnect))!.status()).toBeGreaterThanOrEqual(403)
    await page.getByRole('heading', { name: new RegExp(`${forbiddenTitle}|${notFoundTitle}`) }).waitFor()
    await page.goto(`${HOME}/console/calendars`)
    const csrf = await page.locator('input[name=csrf]').first().inputValue()
    expect(await sendForm(page, disconnect, { csrf })).toBe(403)
    const left = await practice.ask('GET', '/v1/calendars')
    expect(left.data.map((one: { id: string }) => one.id)).toContain(of.id)

    // They disconnect their own.
    await page
      .getByRole('link', { name: new RegExp(`^${texts.disconnect}`) })
      .first()
      .click()
    await look('disconnect')
    await page.getByRole('button', { name: texts.disconnect }).click()
    await page.getByText(texts.noneTitle).waitFor()
    await page.goto(DAY)
    expect(await page.locator('.planner .is-busy').count()).toBe(0)
    await colleague.leave()
  })
})
