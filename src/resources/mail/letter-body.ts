export type LetterBody = {
  readonly heading: string
  readonly lines: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
}

/** One letter in both forms. Whatever people typed is text in both. */
export function letterBody({ heading, lines, action }: LetterBody): { text: string; html: string } {
  const text = [heading, '', ...lines, ...(action ? ['', `${action.label}: ${action.url}`] : []), ''].join(
    '\n',
  )
  const paragraphs = lines.map((line) => `<p style="margin:0 0 8px">${escapeHtml(line)}</p>`).join('\n')
  const button = action
    ? `<p style="margin:24px 0 0"><a href="${escapeHtml(action.url)}" style="color:#1d4ed8">${escapeHtml(action.label)}</a></p>`
    : ''
  const html = `<!doctype html>
<html>
<body style="font-family:system-ui,sans-serif;color:#111827;line-height:1.5;max-width:560px;margin:24px auto;padding:0 16px">
<h1 style="font-size:20px">${escapeHtml(heading)}</h1>
${paragraphs}
${button}
</body>
</html>
`
  return { text, html }
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
