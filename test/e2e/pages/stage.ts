import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../support/browser.ts'
import { settingsFor } from '../../support/doubles/connect.ts'
import { openWorld, type ProviderWorld } from '../../support/doubles/control.ts'
import { type Doubles, startDoubles } from '../../support/doubles/doubles.ts'
import { type LocalServer, startServer } from '../../support/local-server.ts'
import { type Studio, startStudio } from '../../support/studio.ts'

/** What all walks through the pages share, since each part of it takes seconds to start. */
export let browser: Browser
export let studio: Studio
/** Where people are sent back to. */
export let app: LocalServer
export let google: ProviderWorld
let doubles: Doubles

export async function openStage(): Promise<void> {
  doubles = await startDoubles()
  google = openWorld(doubles.url, 'google')
  const settings = settingsFor('calendar_a', google.base)
  const welcome = startServer(async (_, response) => {
    response.end('Welcome back')
  })
  ;[studio, browser, app] = await Promise.all([startStudio(settings), launchBrowser(), welcome])
}

export async function closeStage(): Promise<void> {
  await browser?.close()
  await studio?.close()
  await doubles?.stop()
  await app?.stop()
}
