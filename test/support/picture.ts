import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'

const DOCS = resolve(import.meta.dirname, '../../docs')
const WIDTH = 1120
const QUALITY = 0.85

/** Draws what a page shows as WebP, in the light and in the dark: `docs/NAME.webp` and `docs/NAME-dark.webp`. */
export async function drawForReadme(
  name: string,
  browser: Browser,
  url: string,
  enter: (page: Page) => Promise<void>,
  height = 620,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      ...{ viewport: { width: WIDTH, height }, colorScheme, locale: 'en-US', timezoneId: 'Europe/Berlin' },
    })
    const page = await context.newPage()
    await enter(page)
    await page.goto(url)
    const png = (await page.screenshot()).toString('base64')
    // The screen itself loads nothing foreign, so another page draws it again.
    const easel = await context.newPage()
    const drawn = (await easel.evaluate(`new Promise((done) => {
      const image = new Image()
      image.onload = () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
        canvas.getContext('2d').drawImage(image, 0, 0)
        done(canvas.toDataURL('image/webp', ${QUALITY}))
      }
      image.src = 'data:image/png;base64,${png}'
    })`)) as string
    const file = colorScheme === 'light' ? `${name}.webp` : `${name}-dark.webp`
    writeFileSync(join(DOCS, file), Buffer.from(drawn.split(',')[1]!, 'base64'))
    await context.close()
  }
}
