import type { Tint } from '../../platform/colors/tint.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { shorten } from '../../platform/i18n/shorten.ts'
import { type EmailContent, type EmailHead, type Fact, typedLines, typedParagraphs } from './email-content.ts'
import { emailStyles, FONT, LIGHT, tintOfEmail } from './email-style.ts'
import { withHost } from './with-host.ts'

/** The maximum width in pixels: mail programs have about that much room beside their lists. */
const WIDTH = 560
const PREVIEW_LENGTH = 140

/**
 * The HTML version: tables and a style on each element, because the most common mail programs support little else
 * (Outlook's Word engine; Gmail can drop the style sheet in the head).
 */
export function emailHtml(head: EmailHead, content: EmailContent): string {
  const { locale } = head
  const { heading, intro, paragraphs = [], code, facts = [], action, otherAction, closing, reason } = content
  const [first, last] = [intro, closing].map((text) => (text === undefined ? [] : typedParagraphs(text)))
  const tint = tintOfEmail(head)
  const { language, direction } = locale
  const preview = shorten(
    [...first!.flat(), ...paragraphs, ...facts.map(summaryOf)].join(' · '),
    PREVIEW_LENGTH,
  )
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font:600 22px/1.3 ${FONT};color:${LIGHT.ink}">${escapeHtml(heading)}</h1>`,
    ...first!.map((lines) => paragraph(lines)),
    ...paragraphs.map((text) => paragraph([text])),
    ...(code === undefined ? [] : [codeBox(code)]),
    ...(facts.length === 0 ? [] : [factTable(facts, tint, direction)]),
    ...[action, otherAction].flatMap((one) => (one ? [button(one, tint)] : [])),
    ...(last!.length === 0 ? [] : [GAP, ...last!.map((lines) => paragraph(lines))]),
  ].join('\n')
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>
${emailStyles(tint)}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:${LIGHT.ground};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}</div>
<div role="article" aria-label="${escapeHtml(heading)}" lang="${language}" dir="${direction}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${LIGHT.ground}" dir="${direction}" style="background-color:${LIGHT.ground}">
<tr><td class="page" align="center" style="padding:32px 16px 48px">
<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${direction}" style="width:100%;max-width:${WIDTH}px;text-align:${direction === 'rtl' ? 'right' : 'left'}">
<tr><td style="padding:0 4px 20px">${brand(head)}</td></tr>
<tr><td class="band" height="6" bgcolor="${tint.light.fill}" style="height:6px;line-height:6px;font-size:0;background-color:${tint.light.fill};border-radius:12px 12px 0 0">&nbsp;</td></tr>
<tr><td class="card wide" bgcolor="${LIGHT.card}" style="padding:32px;background-color:${LIGHT.card};border:1px solid ${LIGHT.edge};border-top:0;border-radius:0 0 12px 12px">
${body}
</td></tr>
<tr><td style="padding:20px 4px 0">${footer(head, reason)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</div>
</body>
</html>
`
}

/** The logo or the name. Dark mode shows another logo, or the same one on a light plate. */
function brand({ sender }: EmailHead): string {
  const { name, logoUrl, logoAltText, logoDarkUrl } = sender
  const type = `font:600 18px/1.3 ${FONT};color:${LIGHT.ink}`
  if (logoUrl === null) return `<span class="ink" style="${type}">${escapeHtml(name)}</span>`
  const image = (url: string) =>
    `<img src="${escapeHtml(url)}" alt="${escapeHtml(logoAltText || name)}" height="40" class="ink" style="display:inline-block;height:40px;width:auto;max-width:240px;border:0;vertical-align:middle;${type}">`
  if (logoDarkUrl === null) {
    return `<span class="plate" style="display:inline-block;border-radius:8px">${image(logoUrl)}</span>`
  }
  return `<div class="day">${image(logoUrl)}</div>
<!--[if !mso]><!--><div class="night" style="display:none;max-height:0;overflow:hidden">${image(logoDarkUrl)}</div><!--<![endif]-->`
}

function paragraph(lines: readonly string[]): string {
  const text = lines.map(escapeHtml).join('<br>\n')
  return `<p class="ink" style="margin:0 0 16px;font:400 16px/1.5 ${FONT};color:${LIGHT.ink};word-break:break-word">${text}</p>`
}

/** Before the last words, as above the button. */
const GAP = '<div style="height:24px;line-height:24px;font-size:0">&nbsp;</div>'

function codeBox(code: string): string {
  return `<p dir="ltr" class="ink edge" style="margin:0 0 16px;padding:16px;border:1px solid ${LIGHT.edge};border-radius:8px;font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:8px;text-align:center;color:${LIGHT.ink}">${escapeHtml(code)}</p>`
}

function factTable(facts: readonly Fact[], tint: Tint, direction: 'ltr' | 'rtl'): string {
  const rows = facts.map(
    (fact, at) =>
      `<tr><td class="edge" style="padding:14px 0;border-top:${at === 0 ? '0' : `1px solid ${LIGHT.edge}`}">${factHtml(fact, tint, direction)}</td></tr>`,
  )
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${direction}" style="width:100%;margin:0 0 8px">
${rows.join('\n')}
</table>`
}

function factHtml(
  { label, strong, lines = [], link, quote, isOver }: Fact,
  { light }: Tint,
  direction: 'ltr' | 'rtl',
): string {
  const struck = isOver ? ';text-decoration:line-through' : ''
  const parts = [
    `<div class="soft" style="margin:0 0 3px;font:400 13px/1.4 ${FONT};color:${LIGHT.soft}">${escapeHtml(label)}</div>`,
    ...(strong === undefined
      ? []
      : [
          `<div class="ink" dir="auto" style="font:600 16px/1.45 ${FONT};color:${LIGHT.ink}${struck}">${escapeHtml(strong)}</div>`,
        ]),
    ...lines.map(
      (line) =>
        `<div class="ink" dir="auto" style="font:400 15px/1.5 ${FONT};color:${LIGHT.ink}${struck}">${escapeHtml(line)}</div>`,
    ),
    ...(link
      ? [
          `<div dir="auto" style="font:400 15px/1.5 ${FONT};word-break:break-word"><a class="link" href="${escapeHtml(link.url)}" style="color:${light.text};text-decoration:underline">${escapeHtml(link.text)}</a></div>`,
        ]
      : []),
    ...(quote === undefined ? [] : [quoteHtml(quote, direction)]),
  ]
  return parts.join('\n')
}

function quoteHtml(quote: string, direction: 'ltr' | 'rtl'): string {
  const typed = typedLines(quote).map(escapeHtml).join('<br>\n')
  return `<blockquote dir="auto" class="ink edge" style="margin:4px 0 0;padding:0 12px;border-${direction === 'rtl' ? 'right' : 'left'}:3px solid ${LIGHT.edge};font:400 15px/1.5 ${FONT};color:${LIGHT.ink};word-break:break-word">${typed}</blockquote>`
}

/** A cell with a background, because some mail programs ignore the padding of links. */
function button({ label, url }: { readonly label: string; readonly url: string }, { light }: Tint): string {
  const ground = `background-color:${light.fill};border-radius:8px`
  return `<table role="presentation" class="fit" cellpadding="0" cellspacing="0" border="0" style="margin:16px 0 0">
<tr><td class="fill" bgcolor="${light.fill}" style="${ground};mso-padding-alt:13px 24px"><a class="fill button" href="${escapeHtml(url)}" style="display:inline-block;padding:13px 24px;${ground};color:${light.onFill};font:600 16px/1.3 ${FONT};text-decoration:none">${escapeHtml(label)}</a></td></tr>
</table>`
}

function footer({ locale, sender }: EmailHead, reason: string | undefined): string {
  const { texts } = locale
  const { name, imprintUrl, privacyUrl, namesProduct } = sender
  const line = (html: string) =>
    `<p class="soft" style="margin:0 0 8px;font:400 13px/1.5 ${FONT};color:${LIGHT.soft}">${html}</p>`
  const link = (text: string, url: string) =>
    `<a class="soft" href="${escapeHtml(url)}" style="color:${LIGHT.soft};text-decoration:underline">${escapeHtml(withHost(text, url))}</a>`
  const links = [
    escapeHtml(name),
    ...(imprintUrl === null ? [] : [link(texts.imprint, imprintUrl)]),
    ...(privacyUrl === null ? [] : [link(texts.privacy, privacyUrl)]),
    ...(namesProduct ? [escapeHtml(fill(texts.poweredBy, { product: 'Holdfast' }))] : []),
  ]
  return [...(reason === undefined ? [] : [line(escapeHtml(reason))]), line(links.join(' · '))].join('\n')
}

function summaryOf({ label, strong, lines = [], link, quote }: Fact): string {
  if (quote !== undefined) return ''
  return strong ?? lines[0] ?? (link ? label : '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)
}
