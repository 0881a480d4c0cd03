/**
 * At most `most` UTF-16 units of the text, ending in an ellipsis if it was shortened. No character is cut in two, because
 * headers and pages cannot contain half of one.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${kept.replace(/[\ud800-\udbff]$/, '')}…`
}
