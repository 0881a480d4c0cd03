import { type Env, urlAt } from '../../env.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import { mailboxOf } from '../../outbox/mail/mailbox.ts'
import { PRODUCT } from '../../outbox/mail/sender.ts'
import { insertEmails } from '../../outbox/mail/statements.ts'
import { seal } from '../../platform/auth/secret.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { newIdIn } from '../../platform/db/ids.ts'
import { shardOfEnv } from '../../platform/db/shards.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import type { EmailTexts } from '../../platform/i18n/emails/en.ts'
import { momentText, usableZone } from '../../platform/i18n/format.ts'
import { localeOf } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import type { MembershipRow } from './queries.ts'

/** What was changed about how somebody signs in. */
export type SecurityChange =
  | { readonly what: 'passkeyAdded' | 'passkeyRemoved'; readonly name: string }
  | {
      readonly what: 'accountLinked' | 'accountUnlinked'
      /** As people know it. */
      readonly provider: string
    }
  | {
      readonly what: 'addressAdded' | 'addressChanged' | 'addressLeft'
      /** The address before; empty where there was none. */
      readonly from: string
      readonly address: string
    }

type Happened = {
  /** Where the person belongs; the first says how they read. */
  readonly memberships: readonly MembershipRow[]
  /** What it was done with, as they would name it; empty where that is unknown. */
  readonly device: string
  readonly now: RealMs
}

type Addressed = { readonly to: string; readonly news: SecurityChange }

/** About a person, wherever they belong. */
const NOBODYS = { organizationId: '', isTest: false }

/**
 * Emails about a change to somebody's sign-in, for the batch that changes it, in the database of `env`. After the commit,
 * `announce` wakes the queue. Without an address no email is sent.
 */
export async function enqueueSecurityEmails(
  env: Env,
  happened: Happened,
  letters: readonly Addressed[],
): Promise<{ readonly statements: (db: Db) => Statement[]; readonly announce: () => Promise<void> }> {
  const written = letters
    .filter(({ to }) => to !== '')
    .map(async ({ to, news }) => ({
      id: newIdIn(shardOfEnv(env)),
      recipientId: null,
      recipient: to,
      address: mailboxOf(to),
      message: await seal(env.ENCRYPTION_KEY, JSON.stringify(securityEmail(env, to, happened, news))),
      isCounted: false,
    }))
  const posted = await Promise.all(written)
  const about = { kind: 'ready', subjectId: null, occasion: null, onceKey: null } as const
  return {
    statements: (db) =>
      posted.length === 0 ? [] : insertEmails(db, NOBODYS, { ...about, letters: posted }, happened.now),
    announce: () => wakeQueue(env, ...posted.map(({ id }) => ({ type: 'email', emailId: id }) as const)),
  }
}

function securityEmail(
  env: Env,
  to: string,
  { memberships, device, now }: Happened,
  news: SecurityChange,
): Email {
  const own = memberships.find(({ memberLocale }) => memberLocale !== null) ?? memberships[0]
  const locale = localeOf(spokenTag(own?.memberLocale, own?.locale))
  const { emails, texts } = locale
  const zone = usableZone(own?.memberTimezone ?? own?.timezone ?? 'UTC')
  const [heading, text, ...paths] = wordsOf(news)
  const content = {
    heading: emails[heading],
    paragraphs: [emails[text]],
    facts: [
      factOf(news, emails),
      { label: texts.when, lines: [momentText(locale, now, zone)] },
      ...(device === '' ? [] : [{ label: emails.device, lines: [device] }]),
    ],
    ...(paths[0] && { action: { label: emails.reviewSignIn, url: urlAt(env, paths[0]) } }),
    reason: emails.notYou,
  }
  return { to, subject: fill(emails[heading], {}), ...emailBody({ locale, sender: PRODUCT }, content) }
}

function factOf(news: SecurityChange, { passkey, accountAt, newAddress }: EmailTexts) {
  if ('name' in news) return { label: passkey, strong: news.name }
  if ('provider' in news) return { label: accountAt, strong: news.provider }
  return { label: newAddress, strong: news.address }
}

type Subject = 'accountLinked' | 'accountUnlinked' | `passkey${string}` | `address${string}`

type Words = readonly [
  heading: Extract<keyof EmailTexts, `${Subject}Heading`>,
  text: Extract<keyof EmailTexts, `${Subject}Text`>,
  path?: `/console/${string}`,
]

/** The old address alone cannot sign in any more, so this email has no button. */
function wordsOf({ what }: SecurityChange): Words {
  switch (what) {
    case 'accountLinked':
      return ['accountLinkedHeading', 'accountLinkedText', '/console/settings/sessions']
    case 'accountUnlinked':
      return ['accountUnlinkedHeading', 'accountUnlinkedText', '/console/settings/sessions']
    case 'passkeyAdded':
      return ['passkeyAddedHeading', 'passkeyAddedText', '/console/settings/passkeys']
    case 'passkeyRemoved':
      return ['passkeyRemovedHeading', 'passkeyRemovedText', '/console/settings/passkeys']
    case 'addressAdded':
      return ['addressAddedHeading', 'addressAddedText', '/console/settings/sessions']
    case 'addressChanged':
      return ['addressChangedHeading', 'addressChangedText', '/console/settings/sessions']
    case 'addressLeft':
      return ['addressChangedHeading', 'addressLeftText']
  }
}
