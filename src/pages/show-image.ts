import { getImage } from '../booking/images/get-image.ts'
import type { Page, Params } from './page.ts'
import { image } from './respond.ts'

/** An uploaded logo or portrait. Its address says what it is, so that nobody asks twice. */
export async function showImage(page: Page, { hash = '', ext = '' }: Params): Promise<Response> {
  const { type, bytes } = await getImage(page.ctx.env, hash, ext)
  return image(page, type, bytes)
}
