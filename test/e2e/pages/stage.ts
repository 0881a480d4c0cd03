import type { Browser } from 'playwright-core'
import { openGoogle } from '../../../doubles/google/open-google.ts'
import { type Doubles, startDoubles } from '../../../doubles/start-doubles.ts'
import { launchBrowser } from '../../support/browser.ts'
import { type LocalServer, startServer } from '../../support/local-server.ts'
import { type Studio, startStudio } from '../../support/studio.ts'
import { openWorld, type World } from '../../support/world.ts'
import { settingsOf } from '../../support/world-account.ts'

/** What all walks through the pages share, since each part of it takes seconds to start. */
export let browser: Browser
export let studio: Studio
/** Where people are sent back to. */
export let app: LocalServer
export let google: World
let doubles: Doubles

export async function openStage(): Promise<void> {
  doubles = await startDoubles({ google: openGoogle })
  google = openWorld('google', 'stage', doubles.url)
  const settings = settingsOf('calendar_a', google.base)
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
