/** The guides in the order of the menu, and what else there is to look up. */
export const GUIDES =
  'index first-booking changing-bookings places holidays series teams importing export webhooks embedding rooms email-texts agents going-live'.split(
    ' ',
  )
export const CONCEPTS = ['open-times', 'booking-states', 'holds', 'waitlist', 'where-data-is']
const LOOKED_UP = ['reference', 'errors', 'events', 'compatibility']

/** Titles that their names do not say. */
const TITLES: Readonly<Record<string, string>> = {
  index: 'Overview',
  holidays: 'Public holidays',
  export: 'Exporting',
  rooms: 'Rooms and equipment',
  'email-texts': 'Texts of emails',
  'booking-states': 'States of a booking',
  waitlist: 'The waitlist',
  reference: 'API reference',
}

function titleOf(name: string): string {
  return TITLES[name] ?? name[0]!.toUpperCase() + name.slice(1).replaceAll('-', ' ')
}

type GroupProps = { readonly title: string; readonly items: readonly string[]; readonly here: string }

function Group({ title, items, here }: GroupProps) {
  return (
    <nav aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {items.map((name) => (
          <li key={name}>
            <a
              href={name === 'index' ? '/docs' : `/docs/${name}`}
              aria-current={name === here ? 'page' : undefined}
            >
              {titleOf(name)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type Props = { readonly here: string; readonly takesKey: boolean }

/** What is beside each page: the search, the reader's key where samples contain one, and all pages. A phone folds the pages. */
export function DocMenu({ here, takesKey }: Props) {
  return (
    <div class="doc-menu">
      <search>
        <form class="doc-search" data-doc-search hidden>
          <label for="doc-search">Search</label>
          <input id="doc-search" type="search" autocomplete="off" aria-keyshortcuts="/" />
          <ul aria-label="Found" />
          <p role="status" />
        </form>
      </search>
      {takesKey && (
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
            The samples for curl contain it then. It stays in this tab.{' '}
            <a href="/docs/first-booking#a-key">Get a key</a>
          </p>
        </form>
      )}
      <details class="doc-pages">
        <summary>All pages</summary>
        <Group title="Guides" items={GUIDES} here={here} />
        <Group title="How it works" items={CONCEPTS} here={here} />
        <Group title="Look up" items={LOOKED_UP} here={here} />
      </details>
      {here === 'reference' && (
        <details class="doc-calls">
          <summary>All calls</summary>
          <nav aria-label="Calls" data-calls />
        </details>
      )}
    </div>
  )
}
