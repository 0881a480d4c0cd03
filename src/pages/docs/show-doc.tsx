import { notFound } from '../../platform/http/errors.ts'
import { localeFor } from '../../platform/i18n/locale.ts'
import { beginning } from '../markdown/write-pages.ts'
import type { Page, Params } from '../page.ts'
import { html, plain } from '../respond.ts'
import { Document } from '../views/document.tsx'
import { CONCEPTS, DocMenu, GUIDES } from './doc-menu.tsx'
import { errorsMarkdown } from './errors.ts'
import { eventsMarkdown } from './events.ts'
import { htmlOf } from './markdown.ts'

const WRITTEN = [...GUIDES, ...CONCEPTS, 'compatibility']
/** The reference is too long to be read with all others. */
const READ_ALONE = ['reference']

/** Where a sample contains a key: `docs.js` puts the reader's there. */
const KEY_PLACE = /\$HOLDFAST_KEY\b|hf_test_…/
/** Samples that need one take no test key. */
const LIVE_KEY = /live\s+key[^\]]*\]\(\/docs\/first-booking#a-key\)/

/** A page of the documentation. It is in English, whatever language the visitor reads. */
export async function showDoc(visit: Page, params: Params): Promise<Response> {
  const page = { ...visit, locale: localeFor('en', null) }
  const name = params.doc ?? 'index'
  const markdown = await markdownOf(page, name)
  const [, title] = /^# (.*)$/m.exec(markdown)!
  return html(
    page,
    <Document
      page={page}
      title={`${title} · Holdfast`}
      showsProduct={false}
      about={aboutOf(name, title!, markdown)}
    >
      <link rel="stylesheet" href={`/assets/docs.css?v=${page.assetVersion}`} />
      <script type="module" src={`/assets/docs.js?v=${page.assetVersion}`} />
      <script type="module" src={`/assets/docs-search.js?v=${page.assetVersion}`} />
      <div class="docs">
        <DocMenu here={name} takesKey={KEY_PLACE.test(markdown) && !LIVE_KEY.test(markdown)} />
        <article class="card doc" dangerouslySetInnerHTML={{ __html: htmlOf(markdown) }} />
      </div>
    </Document>,
  )
}

/** Its first paragraph, as text. */
function aboutOf(name: string, title: string, markdown: string) {
  const [, first = ''] = /^(?!#)(\S.*)$/m.exec(markdown) ?? []
  const text = first.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
  return {
    path: name === 'index' ? '/docs' : `/docs/${name}`,
    title,
    text,
    siteName: 'Holdfast',
    image: null,
  }
}

export async function showDocMarkdown(page: Page, params: Params): Promise<Response> {
  return plain(page, 'text/markdown', await markdownOf(page, params.doc ?? 'index'))
}

/** Where programs begin, and all that it links to, on one page. */
export async function showEverything(page: Page): Promise<Response> {
  const names = [...WRITTEN.filter((name) => name !== 'index'), 'errors', 'events']
  const parts = await Promise.all([beginning(page), ...names.map((name) => markdownOf(page, name))])
  return plain(page, 'text/plain', parts.join('\n---\n\n'))
}

export async function markdownOf({ ctx: { env } }: Page, name: string): Promise<string> {
  return (await sourceOf(env.ASSETS, name)).replaceAll('{base}', env.PUBLIC_URL)
}

/** The guides are static files, so that the Worker does not grow with them. */
async function sourceOf(assets: Fetcher, name: string): Promise<string> {
  if (name === 'errors') return errorsMarkdown()
  if (name === 'events') return eventsMarkdown()
  if (![...WRITTEN, ...READ_ALONE].includes(name)) throw notFound('page')
  const response = await assets.fetch(`https://assets.local/docs/${name}.md`)
  if (!response.ok) throw notFound('page')
  return response.text()
}
