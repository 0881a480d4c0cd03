/** One way to sign in that a server offers (RFC 9110, section 11.6.1); names of parameters are in lower case. */
export type Challenge = { readonly scheme: string; readonly params: Readonly<Record<string, string>> }

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"
const PARAM = new RegExp(`^(${TOKEN})\\s*=\\s*(?!=)(.+)$`, 's')
const SCHEME = new RegExp(`^(${TOKEN})(?:\\s+(.*))?$`, 's')

/** What a `WWW-Authenticate` header offers, in its order. Parts that make no sense are left out. */
export function challengesIn(header: string | null): Challenge[] {
  const found: { scheme: string; params: Record<string, string> }[] = []
  for (const part of partsOf(header ?? '')) {
    const opening = PARAM.test(part) ? null : SCHEME.exec(part)
    if (opening) found.push({ scheme: opening[1]!, params: {} })
    const param = PARAM.exec(opening ? (opening[2] ?? '') : part)
    const last = found.at(-1)
    if (param && last) last.params[param[1]!.toLowerCase()] = plain(param[2]!)
  }
  return found
}

/** What is between commas, but for those in quotes. */
function partsOf(header: string): string[] {
  const parts: string[] = []
  let [from, isQuoted] = [0, false]
  for (let at = 0; at < header.length; at++) {
    if (isQuoted && header[at] === '\\') at++
    else if (header[at] === '"') isQuoted = !isQuoted
    else if (header[at] === ',' && !isQuoted) {
      parts.push(header.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, header.slice(from)].map((part) => part.trim()).filter((part) => part !== '')
}

function plain(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.)/gs, '$1') : value
}
