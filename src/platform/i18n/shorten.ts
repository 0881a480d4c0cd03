/**
 * At most `most` UTF-16 units of the text, the last of them an ellipsis where some were left out. No character is cut in
 * two, for half of one is no text that a header or a page can carry.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${kept.replace(/[\ud800-\udbff]$/, '')}…`
}
