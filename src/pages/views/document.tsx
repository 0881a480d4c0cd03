import type { ComponentChildren } from 'preact'
import { tintOf } from '../../look/color.ts'
import type { Page } from '../page.ts'
import { Footer } from './footer.tsx'

type Props = {
  readonly page: Page
  readonly title: string
  readonly children: ComponentChildren
  /** The colors of the event types on the page. */
  readonly colors?: readonly string[]
  readonly isPrivate?: boolean
  readonly showsProduct?: boolean
  /** What the browser's script gets: plain texts and ids, never a token. */
  readonly data?: Readonly<Record<`data-${string}`, string>>
  readonly script?: 'pay'
  /** It runs no script and cannot be requested again, so it offers no other language. */
  readonly isBare?: boolean
  /** For search engines and programs: what it is about, and that it has one address and a twin in Markdown. */
  readonly about?: { readonly path: string; readonly text: string }
}

export function Document({ page, title, children, colors = [], data = {}, ...props }: Props) {
  const { locale, assetVersion: version } = page
  const scripts = [
    'page',
    'grid',
    ...(page.isEmbedded ? ['host'] : []),
    ...(props.script ? [props.script] : []),
  ]
  return (
    <html lang={locale.language} dir={locale.direction} class={page.isEmbedded ? 'embedded' : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {props.isPrivate && <meta name="robots" content="noindex, nofollow" />}
        <title>{title}</title>
        {props.about && (
          <>
            <meta name="description" content={props.about.text} />
            <link rel="canonical" href={props.about.path} />
            <link rel="alternate" type="text/markdown" href={`${props.about.path}.md`} />
          </>
        )}
        <link rel="stylesheet" href={`/assets/page.css?v=${version}`} />
        {colors.length > 0 && (
          // The colors are six hexadecimal digits, worked out by us.
          <style nonce={page.nonce} dangerouslySetInnerHTML={{ __html: tintStyles(colors) }} />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {!props.isBare &&
          scripts.map((name) => <script key={name} type="module" src={`/assets/${name}.js?v=${version}`} />)}
      </head>
      <body>
        <a class="skip" href="#main">
          {locale.texts.skipToContent}
        </a>
        <main id="main" tabIndex={-1} {...data}>
          {children}
        </main>
        <Footer page={page} showsProduct={props.showsProduct ?? true} offersLanguages={!props.isBare} />
        <p id="live" class="unseen" role="status" />
      </body>
    </html>
  )
}

export function tintClass(color: string): string {
  return `tint-${tintOf(color).fill.slice(1)}-${color.slice(1).toLowerCase()}`
}

function tintStyles(colors: readonly string[]): string {
  const rules = [...new Set(colors)].map((color) => {
    const { fill, onFill, textOnLight, textOnDark } = tintOf(color)
    const own = `.${tintClass(color)}`
    const common = `--tint:${fill};--on-tint:${onFill};`
    return `${own}{${common}--tint-text:${textOnLight}}@media(prefers-color-scheme:dark){${own}{--tint-text:${textOnDark}}}`
  })
  return rules.join('')
}
