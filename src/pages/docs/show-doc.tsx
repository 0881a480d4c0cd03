import { notFound } from '../../platform/http/errors.ts'
import { localeFor } from '../../platform/i18n/locale.ts'
import { beginning } from '../markdown/write-pages.ts'
import type { Page, Params } from '../page.ts'
import { html, plain } from '../respond.ts'
import { Document } from '../views/document.tsx'
import { errorsMarkdown } from './errors.ts'
import { eventsMarkdown } from './events.ts'
import { htmlOf } from './markdown.ts'

/** The guides in the order of the menu, and what else there is to look up. */
const GUIDES = [
  ['index', 'Overview'],
  ['first-booking', 'First booking'],
  ['changing-bookings', 'Changing bookings'],
  ['places', 'Places'],
  ['holidays', 'Public holidays'],
  ['series', 'Series'],
  ['teams', 'Teams'],
  ['importing', 'Importing'],
  ['export', 'Exporting'],
  ['webhooks', 'Webhooks'],
  ['embedding', 'Embedding'],
  ['rooms', 'Rooms and equipment'],
  ['email-texts', 'Texts of emails'],
  ['agents', 'Agents'],
  ['going-live', 'Going live'],
] as const
const CONCEPTS = [
  ['open-times', 'Open times'],
  ['booking-states', 'States of a booking'],
  ['holds', 'Holds'],
  ['waitlist', 'The waitlist'],
  ['where-data-is', 'Where data is'],
] as const
const LOOKED_UP = [
  ['reference', 'API reference'],
  ['errors', 'Errors'],
  ['events', 'Events'],
  ['compatibility', 'Compatibility'],
] as const
const WRITTEN: readonly string[] = [...[...GUIDES, ...CONCEPTS].map(([name]) => name), 'compatibility']

/** Where a sample contains a key: `docs.js` puts the reader's there. */
const KEY_PLACE = /\$(?:HOLDFAST_)?KEY\b|hf_test_…/

type MenuProps = {
  readonly title: string
  readonly items: readonly (readonly [name: string, title: string])[]
  readonly here: string
}

function DocMenu({ title, items, here }: MenuProps) {
  return (
    <nav aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {items.map(([name, words]) => (
          <li key={name}>
            <a
              href={name === 'index' ? '/docs' : `/docs/${name}`}
              aria-current={name === here ? 'page' : undefined}
            >
              {words}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

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
      <div class="docs">
        <div class="doc-menu">
          <search>
            <form class="doc-search" data-doc-search hidden>
              <label for="doc-search">Search</label>
              <input id="doc-search" type="search" autocomplete="off" />
              <ul aria-live="polite" />
            </form>
          </search>
          {KEY_PLACE.test(markdown) && (
            <form class="doc-key" data-doc-key hidden>
              <label for="doc-key">Your test key</label>
              <input
                id="doc-key"
                type="text"
                autocomplete="off"
                autocapitalize="none"
                spellcheck={false}
                placeholder="hf_test_…"
                aria-describedby="doc-key-says"
              />
              <p id="doc-key-says" class="hint" role="status">
                The samples contain it then. It stays in this tab.{' '}
                <a href="/docs/first-booking#a-key">Get a key</a>
              </p>
            </form>
          )}
          <DocMenu title="Guides" items={GUIDES} here={name} />
          <DocMenu title="How it works" items={CONCEPTS} here={name} />
          <DocMenu title="Look up" items={LOOKED_UP} here={name} />
        </div>
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

async function markdownOf({ ctx: { env } }: Page, name: string): Promise<string> {
  return (await sourceOf(env.ASSETS, name)).replaceAll('{base}', env.PUBLIC_URL)
}

/** The guides are static files, so that the Worker does not grow with them. */
async function sourceOf(assets: Fetcher, name: string): Promise<string> {
  if (name === 'errors') return errorsMarkdown()
  if (name === 'events') return eventsMarkdown()
  if (!WRITTEN.includes(name)) throw notFound('page')
  const response = await assets.fetch(`https://assets.local/docs/${name}.md`)
  if (!response.ok) throw notFound('page')
  return response.text()
}
