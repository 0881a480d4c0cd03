/** The line above what Teams writes into the text of an event. */
const RULE = '_'.repeat(20)

/**
 * The text of an event with a new beginning, because Teams writes the meeting into it. Null if the meeting is not found or the
 * text is already as `wanted`. https://learn.microsoft.com/graph/api/event-update (body property and online meetings)
 */
export function replaceOwnText(html: string, joinUrl: string, wanted: string): string | null {
  const inner = html.replace(/^[\s\S]*?<body[^>]*>/i, '').replace(/<\/body>[\s\S]*$/i, '')
  const link = [joinUrl, joinUrl.replaceAll('&', '&amp;')]
    .map((each) => inner.indexOf(each))
    .find((at) => at >= 0)
  // What an invitee wrote stands before, and may have such a line too.
  const ruleEnd = link === undefined ? -1 : inner.lastIndexOf(RULE, link)
  if (ruleEnd < 0) return null
  const own = inner
    .slice(0, ruleEnd)
    .replace(/_*$/, '')
    .replace(/(?:<[^<>]*>\s*)+$/, '')
  if (sameWords(plainOf(own), wanted)) return null
  const meeting = inner.slice(own.length).replace(/^(?:\s*<\/[^<>]*>)+/, '')
  return `<html><body>${htmlOf(wanted)}${meeting}</body></html>`
}

function htmlOf(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\r?\n/g, '<br>\r\n')
}

function plainOf(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function sameWords(a: string, b: string): boolean {
  return words(a) === words(b)
}

function words(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ')
}
