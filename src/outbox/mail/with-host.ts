/** What a link says, with the host that it leads to: its address is the organization's own. */
export function withHost(text: string, url: string): string {
  const host = URL.parse(url)?.host
  return host ? `${text} (${host})` : text
}
