import { SECOND_MS } from '../../core/time-units.ts'
import type { SandboxSweep } from '../../engine/sandbox-sweep.ts'
import type { Env } from '../../env.ts'
import { dayOf } from '../../outbox/mail/daily-limit.ts'
import { storeSandboxItem } from '../../outbox/mail/store-sandbox-item.ts'
import { unseal } from '../../platform/auth/secret.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import { retrySeconds } from '../../platform/queue/retry-schedules.ts'
import { countSegments } from './count-segments.ts'
import { isAllowedNumber, numberHash, openTextProvider, statusUrl } from './open-provider.ts'
import { optOut } from './opt-outs.ts'
import { TextError, type TextProvider } from './provider/text-provider.ts'
import {
  claimText,
  countText,
  selectDueTextsInSandbox,
  selectOptOut,
  selectTextFacts,
  type TextFacts,
  type TextRow,
  updateText,
} from './queries.ts'
import { afterQuiet } from './quiet-hours.ts'
import { textBody } from './text-body.ts'

/** Sends one text message if it is due. Its failures concern nothing else. */
export async function sendText(
  env: Env,
  id: string,
  now: RealMs,
  provider: TextProvider | null = openTextProvider(env),
): Promise<void> {
  const db = openDb(env, 'decide')
  const [[text], [facts]] = await db.batch([claimText(db, id, now), selectTextFacts(db, id)])
  if (!text) return
  const drop = (why: string) => commitBatch(db, [updateText(db, id, { status: 'dropped', lastError: why })])
  if (!facts || isOutdated(text, facts, now)) return void (await drop('outdated'))
  if (provider === null) return void (await drop('not_configured'))
  const later = afterQuiet(now, facts.inviteeTimezone)
  if (later > now) {
    await commitBatch(db, [updateText(db, id, { nextAttemptAt: later, attempts: text.attempts - 1 })])
    return
  }
  const to = await unseal(env.ENCRYPTION_KEY, facts.inviteePhone!)
  if (!isAllowedNumber(env, to)) return void (await drop('country'))
  const refused = await refuse(env, db, text, facts, to, provider, now)
  if (refused) return void (await drop(refused))
  const body = bodyOf(text, facts)
  try {
    const sent = await provider.send({ to, body, statusUrl: statusUrl(env, id) })
    const segments = sent.segments ?? countSegments(body)
    await commitBatch(db, [
      updateText(db, id, { status: 'sent', providerId: sent.id, segments, lastError: null }),
    ])
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    if (error.isOptOut) await optOut(env, provider.sender, to, now)
    const wait = error.isFinal ? null : retrySeconds('text', text.attempts, error.retryAfterSeconds)
    const outcome =
      wait === null ? ({ status: 'failed' } as const) : { nextAttemptAt: now + wait * SECOND_MS }
    await commitBatch(db, [updateText(db, id, { ...outcome, lastError: error.code })])
  }
}

/** Why a number gets no text; its first attempt counts it. */
async function refuse(
  env: Env,
  db: Db,
  { attempts, organizationId }: TextRow,
  facts: TextFacts,
  to: string,
  { sender }: TextProvider,
  now: RealMs,
): Promise<string | null> {
  const hash = await numberHash(env, to)
  if ((await selectOptOut(db, sender, hash)).length > 0) return 'opted_out'
  if (attempts > 1) return null
  const { sms_per_day, sms_per_number_day } = publicLimitsOf({ ...NO_LIMITS, ...facts })
  const isOver = async (address: string, most: number) => {
    const [[counted]] = await db.batch([countText(db, dayOf(now), organizationId, address)])
    return counted!.letters > most
  }
  // A number that gets no more uses up nothing of the organization's.
  if (await isOver(`sms/${hash}`, sms_per_number_day)) return 'limit'
  return (await isOver('sms', sms_per_day)) ? 'limit' : null
}

const NO_LIMITS = {
  bookingsPerNetworkHour: null,
  pendingPerNetwork: null,
  activePerEmail: null,
  waitingPerEmail: null,
  attendeesPerBooking: null,
}

/** Whether the booking changed since then, or the invitee wants no texts any more. */
function isOutdated({ kind, occasion }: TextRow, facts: TextFacts, now: number): boolean {
  const { status, startTime, inviteePhone, smsConsent, reminderChannels, suspendedAt } = facts
  const isWanted = inviteePhone !== null && smsConsent && reminderChannels.includes('sms')
  if (!isWanted || suspendedAt !== null || startTime !== occasion || startTime <= now) return true
  return kind === 'cancelled' ? status !== 'cancelled' : status !== 'confirmed' && status !== 'rescheduled'
}

function bodyOf({ kind }: TextRow, facts: TextFacts): string {
  const { startTime: start, inviteeTimezone: timezone, title, organization } = facts
  const { inviteeLocale, organizationLocale } = facts
  return textBody({ kind, start, timezone, title, organization, inviteeLocale, organizationLocale })
}

/** The same in a sandbox: the texts that are due are stored in its outbox. */
export async function sendSandboxTexts({ env, db, organizationId, present, isOver }: SandboxSweep) {
  for (;;) {
    const due = await selectDueTextsInSandbox(db, organizationId, present)
    for (const { text, facts } of due) {
      if (isOutdated(text, facts, present)) {
        await commitBatch(db, [updateText(db, text.id, { status: 'dropped', lastError: 'outdated' })])
        continue
      }
      const recipient = await unseal(env.ENCRYPTION_KEY, facts.inviteePhone!)
      const body = bodyOf(text, facts)
      const item = {
        organizationId,
        onceKey: text.onceKey,
        channel: 'sms' as const,
        recipient,
        subject: null,
      }
      const { statement } = await storeSandboxItem(env, db, {
        ...item,
        body: { text: body },
        createdAt: present,
      })
      const segments = countSegments(body)
      await commitBatch(db, [statement, updateText(db, text.id, { status: 'sent', segments })])
    }
    if (due.length === 0 || isOver()) return
  }
}
