import type { Locale } from '../../platform/i18n/locale.ts'
import type { Sender } from './sender.ts'

/** One thing that a letter tells, under its label. */
export type Fact = {
  readonly label: string
  /** What stands out. */
  readonly strong?: string
  readonly lines?: readonly string[]
  readonly link?: { readonly text: string; readonly url: string }
  /** What somebody typed: set apart from what the service says, so that nobody takes a stranger's words for ours. */
  readonly quote?: string
  /** It is no longer so. */
  readonly isOver?: boolean
}

/** What a letter says, in the order of reading. All of it is plain text. */
export type EmailContent = {
  readonly heading: string
  readonly paragraphs?: readonly string[]
  /** Digits to read off and type. */
  readonly code?: string
  readonly facts?: readonly Fact[]
  readonly action?: { readonly label: string; readonly url: string }
  /** Why it came, in small. */
  readonly reason?: string
}

/** Whose letter it is, and how its reader reads. */
export type EmailHead = {
  readonly locale: Locale
  readonly sender: Sender
  /** `#rrggbb` of what it is about, for a sender without a color. */
  readonly color?: string
}

/** Splits at every line break that some reader knows: a line that is not marked as quoted would look like ours. */
export function typedLines(quote: string): string[] {
  return quote.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => line.replace(/[^\P{Cc}\t]/gu, ''))
}

/** Names and titles may hold line breaks, behind which a stranger's words would look like ours. */
export function oneLine(text: string): string {
  return typedLines(text).join(' ')
}
