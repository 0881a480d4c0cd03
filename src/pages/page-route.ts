import type { Handler } from './page.ts'

export type PageRoute = {
  readonly path: RegExp
  readonly GET?: Handler
  readonly POST?: Handler
}
