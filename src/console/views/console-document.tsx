import type { ComponentChildren } from 'preact'
import type { Page } from '../../pages/page.ts'

/** What only one screen needs: a stylesheet, a script, and rules that depend on what is shown. */
export type Assets = { readonly name: 'calendar'; readonly styles: string }

type Props = {
  readonly page: Page
  readonly title: string
  /** `door` for pages without an organization, such as the sign-in page. */
  readonly kind: 'door' | 'shell'
  /** The address the browser continues to automatically. */
  readonly goesOnTo?: string | undefined
  readonly assets?: Assets | undefined
  readonly refreshes?: boolean | undefined
  readonly children: ComponentChildren
}

/** A whole page of the console. No search engine lists it, and nothing foreign is loaded. */
export function ConsoleDocument({ page, title, kind, goesOnTo, assets, refreshes, children }: Props) {
  const { locale, assetVersion: version, theme } = page
  return (
    <html
      lang={locale.language}
      dir={locale.direction}
      class={`console ${kind}`}
      data-theme={theme ?? undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <meta name="robots" content="noindex, nofollow" />
        {goesOnTo && <meta http-equiv="refresh" content={`0;url=${goesOnTo}`} />}
        {refreshes && (
          <noscript>
            <meta http-equiv="refresh" content="4" />
          </noscript>
        )}
        <title>{title}</title>
        <link rel="stylesheet" href={`/assets/page.css?v=${version}`} />
        <link rel="stylesheet" href={`/assets/console.css?v=${version}`} />
        {assets && (
          <>
            <link rel="stylesheet" href={`/assets/${assets.name}.css?v=${version}`} />
            <script type="module" src={`/assets/${assets.name}.js?v=${version}`} />
            <style nonce={page.nonce} dangerouslySetInnerHTML={{ __html: assets.styles }} />
          </>
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <script type="module" src={`/assets/console.js?v=${version}`} />
      </head>
      <body>
        <a class="skip" href="#main">
          {locale.texts.skipToContent}
        </a>
        {children}
        <p id="live" class="unseen" role="status" />
      </body>
    </html>
  )
}
