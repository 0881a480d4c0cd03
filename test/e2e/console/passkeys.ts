import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { browser, HOME, linkIn } from './stage.ts'

/** A device with a fingerprint sensor that says yes (Chrome DevTools Protocol, WebAuthn domain). */
async function addSensor(page: Page): Promise<(isUserVerified: boolean) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return (isUserVerified) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

it('adds a passkey, signs out, and signs in with it', async () => {
  const { page, look, leave } = await newVisitor(browser)
  const verify = await addSensor(page)
  const { pathname, search } = await linkIn()
  await page.goto(HOME + pathname + search)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/console\/(start|overview)/)
  await page.goto(`${HOME}/console/settings/passkeys`)
  await page.getByRole('link', { name: 'Add passkey' }).click()
  await page.getByLabel('Name').fill('Desk')
  await look('console-passkey-new')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('never used').waitFor()
  await look('console-passkeys')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(`${HOME}/console/sign-in?next=%2Fconsole%2Fsettings%2Fpasskeys`)
  await look('console-sign-in-passkey')
  await verify(false)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used').waitFor({ timeout: 60_000 })
  await verify(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('last used').waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/settings/passkeys')
  // The same device is not added twice.
  await page.getByRole('link', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('No passkey was used').waitFor()
  await page.goto(`${HOME}/console/settings/passkeys`)
  await page.getByRole('button', { name: 'Remove Desk' }).click()
  await page.getByText('Done.').waitFor()
  expect(await page.getByText('Desk').count()).toBe(0)
  await leave()
})

it('offers a code by email, and no passkey, without a script', async () => {
  const { page, leave } = await newVisitor(browser, { javaScriptEnabled: false })
  await page.goto(`${HOME}/console/sign-in`)
  await page.getByRole('button', { name: 'Send code' }).waitFor()
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
  await leave()
})
