import type { PageEventType } from '../../booking/listing/schema.ts'
import type { Page } from '../page.ts'

/** The texts of the Markdown versions, in one language. */
export type MarkdownTexts = Readonly<Record<TextName, string>> & {
  /** How a question of each type is answered. */
  readonly kinds: Readonly<Record<PageEventType['questions'][number]['type'], string>>
}

type TextName =
  | 'listingTitle'
  | 'listingLead'
  | 'nothing'
  | 'eventTitle'
  | 'id'
  | 'duration'
  | 'zone'
  | 'price'
  | 'seats'
  | 'page'
  | 'tools'
  | 'theirWords'
  | 'timesTitle'
  | 'times'
  | 'durations'
  | 'hostOptional'
  | 'hostRequired'
  | 'bookTitle'
  | 'book'
  | 'attendees'
  | 'paid'
  | 'answers'
  | 'places'
  | 'required'
  | 'proofHere'
  | 'proofWhere'
  | 'proof'
  | 'keep'
  | 'changeTitle'
  | 'allowed'
  | 'waitTitle'
  | 'wait'
  | 'leave'
  | 'errorsTitle'
  | 'errors'

/** The texts are static files, as the guides are, so that the Worker does not grow with them. */
export async function markdownTexts({ ctx: { env }, locale }: Page): Promise<MarkdownTexts> {
  const response = await env.ASSETS.fetch(`https://assets.local/docs/markdown/${locale.language}.json`)
  if (!response.ok) throw new Error(`there are no texts of Markdown versions in ${locale.language}`)
  return response.json()
}
