import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pageTexts } from '../../platform/i18n/console/page.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import type { MemberRequest } from '../request.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { GetForm } from '../views/get-form.tsx'
import { loadLivePages } from './live-pages.ts'
import { pageShell } from './page-shell.tsx'
import { attributesOf, pageOf, snippetOf, type Wish, wishIn } from './snippet.ts'

/** The lines that put a booking page on a site, filled in, and what they make. */
export async function showEmbed(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, pageTexts)
  const eventTypes = await loadLivePages(request)
  const asked = wishIn(page.url)
  // One that has no page any more would show nothing.
  const isThere = eventTypes.some(({ slug }) => slug === asked.event)
  const wish = isThere ? asked : { ...asked, event: '' }
  const where = {
    inline: texts.snippetInline,
    popup: texts.snippetButton,
    floating: texts.snippetFloating,
    link: texts.snippetLink,
  }[wish.mode]
  const titles = eventTypes.map(({ slug, title }) => ({ value: slug, text: title }))
  return pageShell({
    request,
    here: '/console/page/embed',
    children: (
      <>
        {request.isTest && <p class="soft">{texts.testNote}</p>}
        <div class="main-and-preview">
          <div class="part">
            <GetForm action="/console/page/embed" class="panel steps" sendsOnChange>
              <Choices request={request} wish={wish} events={titles} />
              <div class="form-end">
                <button type="submit" class="soft-button">
                  {texts.show}
                </button>
              </div>
            </GetForm>
            <section class="panel">
              <header>
                <h2>{texts.snippet}</h2>
                <p class="soft">{where}</p>
              </header>
              <CopyLine locale={locale} text={snippetOf(request, wish, wish.label || texts.book)} />
              <p class="hint">
                {texts.more} <a href="/docs/embedding">{texts.toGuide}</a>
              </p>
            </section>
          </div>
          <aside class="part" aria-label={texts.preview}>
            <h2>{texts.preview}</h2>
            <Preview request={request} wish={wish} />
          </aside>
        </div>
      </>
    ),
  })
}

type ChoicesProps = {
  readonly request: MemberRequest
  readonly wish: Wish
  readonly events: readonly { readonly value: string; readonly text: string }[]
}

function Choices({ request, wish, events }: ChoicesProps) {
  const { locale } = request.page
  const texts = textsOf(locale, pageTexts)
  const field = fieldsFor({ locale }, { ...wish, hide: wish.hidesDetails })
  return (
    <>
      {field.select('event', texts.what, [{ value: '', text: texts.all }, ...events])}
      <div class="pair">
        {field.select('mode', texts.mode, [
          { value: 'inline', text: texts.inline },
          { value: 'popup', text: texts.popup },
          { value: 'floating', text: texts.floating },
          { value: 'link', text: texts.link },
        ])}
        {wish.mode !== 'inline' &&
          field.text('label', texts.label, { placeholder: texts.book, isOptional: true })}
        {field.select('theme', texts.theme, [
          { value: '', text: texts.themeAuto },
          { value: 'light', text: texts.light },
          { value: 'dark', text: texts.dark },
        ])}
        {field.select('lang', texts.language, [
          { value: '', text: texts.languageAuto },
          ...LANGUAGES.map((language) => ({ value: language as string, text: nameOfLanguage(language) })),
        ])}
      </div>
      {field.check('hide', texts.hideDetails)}
    </>
  )
}

/** What the lines make: in a frame, or by the script itself, as it will be on the site. */
function Preview({ request, wish }: { readonly request: MemberRequest; readonly wish: Wish }) {
  const texts = textsOf(request.page.locale, pageTexts)
  const attributes = Object.fromEntries(attributesOf(request, wish))
  const address = pageOf(request, wish)
  if (wish.mode === 'inline') {
    const query = new URLSearchParams({
      embed: '1',
      ...(wish.theme && { theme: wish.theme }),
      ...(wish.lang && { lang: wish.lang }),
      ...(wish.hidesDetails && { details: 'hide' }),
    })
    return (
      <iframe
        class="preview"
        src={`${address}?${query}`}
        title={texts.previewFrame}
        loading="lazy"
        data-preview
      />
    )
  }
  return (
    <div class="panel">
      <p class="soft">{texts.liveText}</p>
      {wish.mode === 'link' ? (
        <p>
          <a href={address} {...attributes}>
            {wish.label || texts.book}
          </a>
          <script src="/embed.js" async />
        </p>
      ) : (
        <div>
          <script src="/embed.js" {...attributes} async />
        </div>
      )}
    </div>
  )
}
