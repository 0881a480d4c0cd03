import type { Page } from '../page.ts'

/** An address as people write it, without what ends the sentence around it. */
const ADDRESS = /(https?:\/\/[^\s<>"'“”«»]+[^\s<>"'“”«».,;:!?)\]}。、،])/gi

type Props = { readonly page: Page; readonly text: string }

/** A text of the organization, its addresses as links: http and https only, and they get to know nothing of the page. */
export function Linked({ page, text }: Props) {
  return (
    <>
      {text.split(ADDRESS).map((part, at) =>
        at % 2 === 1 && URL.canParse(part) ? (
          <Outward key={`${at}`} page={page} href={part}>
            {part.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
          </Outward>
        ) : (
          part
        ),
      )}
    </>
  )
}

type OutwardProps = { readonly page: Page; readonly href: string; readonly children: string }

/** A link to somewhere else. */
export function Outward({ page, href, children }: OutwardProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
      <span class="unseen"> ({page.locale.texts.opensNewTab})</span>
    </a>
  )
}
