/** An email as the binding gets it, either in its parts or as a raw message. */
type Handed = { readonly to: string; readonly 'EmailMessage::raw'?: string }

export type SentEmail = {
  readonly to: string
  readonly from: unknown
  readonly replyTo?: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  readonly attachments: readonly {
    readonly filename: string
    readonly type: string
    readonly content: unknown
  }[]
  /** The parts of a raw message, outermost first. */
  readonly parts?: readonly MimePart[]
}

type MimePart = {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The same fields for either kind; local runs pass a raw message on as miniflare's `EmailMessage` holds it. */
export function sentEmail(handed: unknown): SentEmail {
  const raw = (handed as Handed)['EmailMessage::raw']
  if (raw === undefined) return handed as SentEmail
  const parts = partsOf(raw)
  const { headers } = parts[0]!
  const [, name, email = headers.from] = /^(?:(.*) )?<(.*)>$/.exec(headers.from!) ?? []
  const bodyOf = (type: string) => parts.find((part) => part.type.startsWith(type))!.body
  return {
    to: headers.to!,
    from: name === undefined ? email : { name: wordsOf(name), email },
    ...(headers['reply-to'] !== undefined && { replyTo: headers['reply-to'] }),
    subject: wordsOf(headers.subject!),
    headers,
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    attachments: parts
      .filter((part) => part.headers['content-disposition']?.startsWith('attachment'))
      .map(({ type, body }) => ({ filename: /name="(.*)"/.exec(type)![1]!, type, content: body })),
    parts,
  }
}

/** RFC 2045 and 2046, as far as it is used here. */
function partsOf(raw: string): MimePart[] {
  const split = raw.indexOf('\r\n\r\n')
  const lines = raw.slice(0, split).replace(/\r\n[ \t]/g, ' ')
  const headers = Object.fromEntries(
    lines
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const type = headers['content-type']!
  const body = raw.slice(split + 4)
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1]
  if (boundary === undefined) {
    const isPlain = headers['content-transfer-encoding'] === '7bit'
    return [{ type, headers, body: isPlain ? readable(body) : decode(body.replaceAll('\r\n', '')) }]
  }
  const inner = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  return [{ type, headers, body: '' }, ...inner.flatMap((each) => partsOf(each.replace(/^\r\n/, '')))]
}

/** HTML in ASCII, with the characters that it names by their numbers. */
function readable(html: string): string {
  return html
    .replaceAll('\r\n', '\n')
    .replace(/&#(\d{3,});/g, (_, number: string) => String.fromCodePoint(Number(number)))
}

/** RFC 2047. */
function wordsOf(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?B\?([^?]*)\?=/g, (_, word: string) => decode(word))
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (octet) => octet.charCodeAt(0)))
}
