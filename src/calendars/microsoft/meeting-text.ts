/** The line above what Teams writes into the text of an event. */
const RULE = '_'.repeat(20)

/** Invisible characters that end our text. The meeting that Teams writes after it has links of several forms. */
const MARK = '\u2063\u2064\u2063'
const MARK_IN_HTML = /(?:\u2063|&#8291;|&#x2063;)(?:\u2064|&#8292;|&#x2064;)(?:\u2063|&#8291;|&#x2063;)/gi

/** The text of an event, marked so that it is found beside what Teams writes. */
export function markedText(text: string): string {
  return text.replaceAll(MARK, '') + MARK
}

/**
 * The text of an event with a new beginning, because Teams writes the meeting into it. Null if our text is not found or is
 * already as `wanted`. https://learn.microsoft.com/graph/api/event-update (body property and online meetings)
 */
export function replaceOwnText(html: string, joinUrl: string, wanted: string): string | null {
  const inner = html.replace(/^[\s\S]*?<body[^>]*>/i, '').replace(/<\/body>[\s\S]*$/i, '')
  const own = ownPart(inner, joinUrl)
  if (own === null || sameWords(plainOf(own.replace(MARK_IN_HTML, '')), wanted)) return null
  // Exchange may have put our text into elements, which end after it.
  const meeting = inner.slice(own.length).replace(/^(?:\s*<\/[^<>]*>)+/, '')
  return `<html><body>${htmlOf(markedText(wanted))}${meeting}</body></html>`
}

/** Up to our mark, or if that is gone up to the line above the meeting's link. What an invitee wrote may have both, before. */
function ownPart(inner: string, joinUrl: string): string | null {
  const mark = [...inner.matchAll(MARK_IN_HTML)].at(-1)
  if (mark) return inner.slice(0, mark.index + mark[0].length)
  const link = [joinUrl, joinUrl.replaceAll('&', '&amp;')]
    .map((each) => inner.indexOf(each))
    .find((at) => at >= 0)
  const ruleEnd = link === undefined ? -1 : inner.lastIndexOf(RULE, link)
  if (ruleEnd < 0) return null
  return inner
    .slice(0, ruleEnd)
    .replace(/_*$/, '')
    .replace(/(?:<[^<>]*>\s*)+$/, '')
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
