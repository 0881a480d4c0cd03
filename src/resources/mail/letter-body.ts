/** What somebody typed, under a label. */
export type Quote = { readonly label: string; readonly quote: string }
export type Line = string | Quote

export type LetterBody = {
  readonly heading: string
  readonly lines: readonly Line[]
  readonly action?: { readonly label: string; readonly url: string }
}

/**
 * One letter in both forms. What people typed is plain text in both, and set apart from what the service says, so
 * that nobody takes a stranger's words for ours.
 */
export function letterBody({ heading, lines, action }: LetterBody): { text: string; html: string } {
  const last = action ? ['', `${action.label}: ${action.url}`] : []
  const text = [heading, '', ...lines.flatMap(textOf), ...last, ''].join('\n')
  const button = action
    ? `<p style="margin:24px 0 0"><a href="${escapeHtml(action.url)}" style="color:#1d4ed8">${escapeHtml(action.label)}</a></p>`
    : ''
  const html = `<!doctype html>
<html>
<body style="font-family:system-ui,sans-serif;color:#111827;line-height:1.5;max-width:560px;margin:24px auto;padding:0 16px">
<h1 style="font-size:20px">${escapeHtml(heading)}</h1>
${lines.map(htmlOf).join('\n')}
${button}
</body>
</html>
`
  return { text, html }
}

function textOf(line: Line): string[] {
  if (typeof line === 'string') return [line]
  return [`${line.label}:`, ...typedLines(line.quote).map((typed) => `> ${typed}`)]
}

function htmlOf(line: Line): string {
  if (typeof line === 'string') return paragraph(line)
  const typed = typedLines(line.quote).map(escapeHtml).join('<br>\n')
  return `${paragraph(`${line.label}:`)}
<blockquote dir="auto" style="margin:0 0 8px;padding:0 0 0 12px;border-left:3px solid #d1d5db">${typed}</blockquote>`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 8px">${escapeHtml(text)}</p>`
}

/** Splits at every line break that some reader knows: a line that is not marked as quoted would look like ours. */
function typedLines(quote: string): string[] {
  return quote.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => line.replace(/[^\P{Cc}\t]/gu, ''))
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
