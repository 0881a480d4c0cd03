import type { Locale } from '../../platform/i18n/locale.ts'
import type { Sender } from './sender.ts'

/** A labelled fact in an email. */
export type Fact = {
  readonly label: string
  /** The emphasized line. */
  readonly strong?: string
  readonly lines?: readonly string[]
  readonly link?: { readonly text: string; readonly url: string }
  /** What somebody typed. It is set apart so that readers do not take it for our words. */
  readonly quote?: string
  /** No longer true: shown struck through. */
  readonly isOver?: boolean
}

/** The content of an email in reading order, all plain text. */
export type EmailContent = {
  readonly heading: string
  /** The first words, which an organization can replace by its own. */
  readonly intro?: string
  readonly paragraphs?: readonly string[]
  /** Digits to type. */
  readonly code?: string
  readonly facts?: readonly Fact[]
  readonly action?: { readonly label: string; readonly url: string }
  /** A second choice. */
  readonly otherAction?: { readonly label: string; readonly url: string }
  /** The last words, of an organization. */
  readonly closing?: string
  /** Why the recipient gets it, in small print. */
  readonly reason?: string
}

/** The sender of an email, and the language of its reader. */
export type EmailHead = {
  readonly locale: Locale
  readonly sender: Sender
  /** The subject's `#rrggbb`, used if the sender has no color. */
  readonly color?: string
}

/** Splits at every line break that any mail program knows: a line that is not marked as quoted would look like ours. */
export function typedLines(quote: string): string[] {
  return quote.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => line.replace(/[^\P{Cc}\t]/gu, ''))
}

/** The paragraphs of several lines, each a list of its lines. No line can look like the mark before a signature. */
export function typedParagraphs(text: string): string[][] {
  const paragraphs = typedLines(text)
    .map((line) => line.trimEnd())
    .join('\n')
    .split(/\n{2,}/)
  return paragraphs.map((one) => one.split('\n')).filter((lines) => lines.some((line) => line !== ''))
}

/** Names and titles may contain line breaks, after which somebody else's words would look like ours. */
export function oneLine(text: string): string {
  return typedLines(text).join(' ')
}
