import type { Page } from '../pages/page.ts'

/** Whether this page is at the address of the service, which providers send people back to. */
export function isAtHome({ ctx, url }: Page): boolean {
  return URL.parse(ctx.env.PUBLIC_URL)?.origin === url.origin
}
