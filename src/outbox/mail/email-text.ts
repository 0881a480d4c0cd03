import { headed } from '../../platform/i18n/colon.ts'
import { fill } from '../../platform/i18n/plural.ts'
import {
  type EmailContent,
  type EmailHead,
  type Fact,
  oneLine,
  typedLines,
  typedParagraphs,
} from './email-content.ts'

/** The plain-text version. Each URL has a line of its own, where mail programs find it. */
export function emailText(head: EmailHead, content: EmailContent): string {
  const { heading, intro, paragraphs = [], code, facts = [], action, otherAction, closing, reason } = content
  const parts = [
    [oneLine(heading)],
    ...(intro === undefined ? [] : typedParagraphs(intro)),
    ...paragraphs.map((paragraph) => [oneLine(paragraph)]),
    ...(code === undefined ? [] : [[code]]),
    ...facts.map((fact) => factLines(head, fact)),
    ...[action, otherAction].flatMap((one) => (one ? [[headed(head.locale, one.label), one.url]] : [])),
    ...(closing === undefined ? [] : typedParagraphs(closing)),
    ['-- ', ...(reason === undefined ? [] : [oneLine(reason)]), ...signature(head)],
  ]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function factLines({ locale }: EmailHead, { label, strong, lines = [], link, quote }: Fact): string[] {
  const above = headed(locale, oneLine(label))
  const shown = [...(strong === undefined ? [] : [strong]), ...lines].map(oneLine)
  if (quote !== undefined) return [above, ...typedLines(quote).map((line) => `> ${line}`)]
  return [above, ...shown, ...(link ? [link.url.startsWith('mailto:') ? link.text : link.url] : [])]
}

function signature({ locale, sender }: EmailHead): string[] {
  const { name, imprintUrl, privacyUrl, namesProduct } = sender
  const { texts } = locale
  return [
    oneLine(name),
    ...(imprintUrl === null ? [] : [`${headed(locale, texts.imprint)} ${imprintUrl}`]),
    ...(privacyUrl === null ? [] : [`${headed(locale, texts.privacy)} ${privacyUrl}`]),
    ...(namesProduct ? [fill(texts.poweredBy, { product: 'Holdfast' })] : []),
  ]
}
