/** An email with an invitation, every header as one line of text. */
export type InvitingEmail = {
  readonly from: { readonly name: string; readonly email: string }
  readonly to: string
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  /** An iCalendar file with a METHOD, its type as RFC 6047, section 2.4, has it. */
  readonly invitation: { readonly filename: string; readonly type: string; readonly content: string }
}

/**
 * The email as RFC 5322 has it, in ASCII. The invitation is in it twice: Outlook takes it from the alternative parts and shows an
 * attached one as a plain file, and Gmail wants both.
 */
export function mimeMessage(email: InvitingEmail, sentAt: Date): string {
  const { from, to, replyTo, subject, headers, text, html, invitation } = email
  const { filename, type, content } = invitation
  const alternatives = multipart('alternative', [
    part('text/plain; charset=utf-8', text),
    htmlPart(html),
    part(type, content),
  ])
  const file = part(`application/ics; name="${filename}"`, content, [
    `Content-Disposition: attachment; filename="${filename}"`,
  ])
  const head = [
    `From: ${from.name === '' ? from.email : `${encoded(from.name)}\r\n <${from.email}>`}`,
    `To: ${to}`,
    ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
    `Subject: ${encoded(subject, PLAIN_SUBJECT)}`,
    `Date: ${sentAt.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${crypto.randomUUID()}@${from.email.replace(/^.*@/, '')}>`,
    'MIME-Version: 1.0',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return [...head, ...multipart('mixed', [alternatives, file])].join('\r\n')
}

/** The lines of one part: its headers, an empty line and its body. */
type Part = readonly string[]

function multipart(kind: 'mixed' | 'alternative', parts: readonly Part[]): Part {
  const boundary = `${kind}-${crypto.randomUUID()}`
  return [
    `Content-Type: multipart/${kind};`,
    ` boundary="${boundary}"`,
    '',
    ...parts.flatMap((each) => [`--${boundary}`, ...each]),
    `--${boundary}--`,
    '',
  ]
}

/** A line that every mail server passes on as it is (RFC 5322, section 2.1.1). */
const PLAIN_LINE = /^[\t\x20-\x7e]{0,998}$/

/** HTML names other characters by their numbers, so it can be sent as it is. Latin text is a quarter shorter than in Base64. */
function htmlPart(html: string): Part {
  const type = 'text/html; charset=utf-8'
  const lines = html.replace(/\P{ASCII}/gu, (character) => `&#${character.codePointAt(0)};`).split(/\r?\n/)
  if (!lines.every((line) => PLAIN_LINE.test(line))) return part(type, html)
  return [`Content-Type: ${type}`, 'Content-Transfer-Encoding: 7bit', '', ...lines]
}

function part(type: string, content: string, more: readonly string[] = []): Part {
  const lines = base64(content).match(/.{1,76}/g) ?? []
  return [`Content-Type: ${type}`, ...more, 'Content-Transfer-Encoding: base64', '', ...lines]
}

/** The longest text of an encoded word, in octets: in Base64, its line has at most 76 characters (RFC 2047, section 2). */
const WORD_OCTETS = 39

/** A name that no program reads more into. A subject has no syntax but encoded words. */
const PLAIN_NAME = /^[\w !'+*/&#%-]{0,60}$/
const PLAIN_SUBJECT = /^(?!.*=\?)[\x20-\x7e]{0,60}$/

/** RFC 2047: words of whole characters, each on a line of its own. Plain text stays as it is. */
function encoded(text: string, plain = PLAIN_NAME): string {
  if (plain.test(text)) return text
  const words = ['']
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`
    if (new TextEncoder().encode(longer).length > WORD_OCTETS) words.push(character)
    else words[words.length - 1] = longer
  }
  return words.map((word) => `=?utf-8?B?${base64(word)}?=`).join('\r\n ')
}

function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64()
}
