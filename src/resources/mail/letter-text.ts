import { fill } from '../../i18n/plural.ts'
import { type Fact, type LetterContent, type Letterhead, oneLine, typedLines } from './letter-content.ts'

/** A letter for readers of plain text. An address stands on a line of its own, where programs find it. */
export function letterText(head: Letterhead, content: LetterContent): string {
  const { heading, paragraphs = [], code, facts = [], action, reason } = content
  const parts = [
    [oneLine(heading)],
    ...paragraphs.map((paragraph) => [oneLine(paragraph)]),
    ...(code === undefined ? [] : [[code]]),
    ...facts.map(factLines),
    ...(action ? [[`${action.label}:`, action.url]] : []),
    ['-- ', ...(reason === undefined ? [] : [oneLine(reason)]), ...signature(head)],
  ]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function factLines({ label, strong, lines = [], link, quote }: Fact): string[] {
  const told = [...(strong === undefined ? [] : [strong]), ...lines].map(oneLine)
  if (quote !== undefined) return [headed(label), ...typedLines(quote).map((line) => `> ${line}`)]
  return [headed(label), ...told, ...(link ? [link.url.startsWith('mailto:') ? link.text : link.url] : [])]
}

/** A question needs no colon. */
function headed(label: string): string {
  const line = oneLine(label)
  return /[?:？：؟]$/.test(line) ? line : `${line}:`
}

function signature({ locale, sender }: Letterhead): string[] {
  const { name, imprintUrl, privacyUrl, namesProduct } = sender
  const { texts } = locale
  return [
    oneLine(name),
    ...(imprintUrl === null ? [] : [`${texts.imprint}: ${imprintUrl}`]),
    ...(privacyUrl === null ? [] : [`${texts.privacy}: ${privacyUrl}`]),
    ...(namesProduct ? [fill(texts.poweredBy, { product: 'Holdfast' })] : []),
  ]
}
