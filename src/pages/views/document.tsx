import type { ComponentChildren } from 'preact'
import { urlAt } from '../../env.ts'
import { tintOf } from '../../platform/colors/tint.ts'
import { shorten } from '../../platform/i18n/shorten.ts'
import type { Page } from '../page.ts'
import { Footer, type OwnLinks } from './footer.tsx'

type Props = {
  readonly page: Page
  readonly title: string
  readonly children: ComponentChildren
  /** The colors of the event types on the page. */
  readonly colors?: readonly string[]
  readonly isPrivate?: boolean
  readonly showsProduct?: boolean
  /** The organization's own imprint and the like. */
  readonly ownLinks?: OwnLinks
  /** What the browser's script gets: plain texts and ids, never a token. */
  readonly data?: Readonly<Record<`data-${string}`, string>>
  readonly script?: 'pay'
  /** It runs no script and cannot be requested again, so it offers no other language. */
  readonly isBare?: boolean
  /** The address the page continues to automatically. */
  readonly leadsTo?: string | undefined
  /** For search engines, previews and programs: what it is about, its one address and its Markdown version. */
  readonly about?: About | undefined
}

type About = {
  readonly path: string
  /** Which page of a list it is. */
  readonly query?: string
  readonly title: string
  readonly text: string
  readonly siteName: string
  readonly image: string | null
}

/** What shows a link shows no more of a description. */
const MOST_TOLD = 200

const SCRIPTS = ['page', 'form', 'days', 'grid']

export function Document({ page, title, children, colors = [], data = {}, ...props }: Props) {
  const { locale, assetVersion: version, theme } = page
  const { texts } = locale
  const scripts = [...SCRIPTS, ...(page.isEmbedded ? ['host'] : []), ...(props.script ? [props.script] : [])]
  return (
    <html
      lang={locale.language}
      dir={locale.direction}
      class={page.isEmbedded ? 'embedded' : undefined}
      data-theme={theme ?? undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        {props.isPrivate && <meta name="robots" content="noindex, nofollow" />}
        {props.leadsTo && !page.isEmbedded && (
          <meta http-equiv="refresh" content={`0;url=${props.leadsTo}`} />
        )}
        <title>{title}</title>
        {props.about && <Preview page={page} about={props.about} />}
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
          {texts.skipToContent}
        </a>
        <main id="main" tabIndex={-1} {...data} data-leave={props.leadsTo}>
          {children}
        </main>
        <Footer
          page={page}
          showsProduct={props.showsProduct ?? true}
          offersLanguages={!props.isBare}
          ownLinks={props.ownLinks}
        />
        <p id="live" class="unseen" role="status" data-offline={texts.offline} data-again={texts.tryAgain} />
      </body>
    </html>
  )
}

function Preview({ page, about }: { readonly page: Page; readonly about: About }) {
  const { path, query = '' } = about
  const url = urlAt(page.ctx.env, path + query)
  const text = shorten(about.text.replace(/\s+/g, ' ').trim(), MOST_TOLD)
  return (
    <>
      <meta name="description" content={text} />
      <link rel="canonical" href={url} />
      <link rel="alternate" type="text/markdown" href={`${path}.md${query}`} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={about.title} />
      <meta property="og:description" content={text} />
      <meta property="og:url" content={url} />
      <meta property="og:site_name" content={about.siteName} />
      {about.image && <meta property="og:image" content={about.image} />}
      <meta name="twitter:card" content="summary" />
    </>
  )
}

export function tintClass(color: string): string {
  return `tint-${color.slice(1).toLowerCase()}`
}

function tintStyles(colors: readonly string[]): string {
  const rules = [...new Set(colors.map((color) => color.toLowerCase()))].map((color) => {
    const { light, dark } = tintOf(color)
    const both = (name: string, of: keyof typeof light) => `--${name}:light-dark(${light[of]},${dark[of]})`
    const shades = [
      both('tint', 'fill'),
      both('on-tint', 'onFill'),
      both('tint-text', 'text'),
      both('wash', 'wash'),
      both('wash-strong', 'washStrong'),
    ]
    return `.${tintClass(color)}{${shades.join(';')}}`
  })
  return rules.join('')
}
