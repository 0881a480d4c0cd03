import type { Env } from '../../env.ts'
import { urlAt } from '../../env.ts'
import type { PublicCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId, shardOf } from '../../platform/db/ids.ts'
import { inShard } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { answerOnce } from '../../platform/http/idempotency.ts'
import { readBody } from '../../platform/http/read-body.ts'
import { openTextProvider } from './open-provider.ts'
import { optIn, optOut } from './opt-outs.ts'
import { isSignedByTwilio } from './provider/signature.ts'
import { reportText } from './queries.ts'

const OPTED_OUT = '21610'

/** The fields of a callback that Twilio signed; everybody else learns nothing. */
async function signedFields({ env, request }: Context): Promise<URLSearchParams> {
  const fields = new URLSearchParams(await readBody(request))
  const token = env.TWILIO_AUTH_TOKEN
  const { pathname, search } = new URL(request.url)
  const signature = request.headers.get('x-twilio-signature')
  if (!token || openTextProvider(env) === null || signature === null) throw notFound('resource')
  for (const url of spellingsOf(urlAt(env, `${pathname}${search}` as `/${string}`))) {
    if (await isSignedByTwilio(token, url, fields, signature)) return fields
  }
  throw notFound('resource')
}

/** Twilio signs the URL with its port or without. */
function spellingsOf(url: string): readonly string[] {
  const { protocol, host, hostname, port, pathname, search } = new URL(url)
  const usual = protocol === 'https:' ? '443' : '80'
  const withPort = port === '' ? `${hostname}:${usual}` : host
  return [host, withPort, hostname].map((at) => `${protocol}//${at}${pathname}${search}`)
}

const STATUSES: Readonly<Record<string, 'sent' | 'delivered' | 'failed'>> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

/** What became of a text message. */
export async function receiveStatus(ctx: Context<PublicCaller>, id: string | undefined) {
  const fields = await signedFields(ctx)
  return answerOnce(ctx, 'text-messages', 204, () => noteStatus(ctx, id, fields))
}

async function noteStatus(ctx: Context, id: string | undefined, fields: URLSearchParams): Promise<undefined> {
  const status = STATUSES[fields.get('MessageStatus') ?? '']
  if (!status || id === undefined || !isId(id)) return undefined
  const home = inShard(ctx.env, shardOf(id))
  const db = openDb(home, 'decide')
  const lastError = fields.get('ErrorCode')?.slice(0, 10) || null
  await db.batch([reportText(db, id, { status, providerId: fields.get('MessageSid'), lastError })])
  const to = fields.get('To')
  if (lastError === OPTED_OUT && to) await optOut(ctx.env, senderOf(ctx.env), to, Date.now())
  return undefined
}

function senderOf(env: Env): string {
  return openTextProvider(env)!.sender
}

/* https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out, and the keywords that carriers know */
const STOP = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'])
const START = new Set(['START', 'YES', 'UNSTOP'])

/** What people answer: only keywords that end or begin texts are read. */
export async function receiveInbound(ctx: Context<PublicCaller>) {
  const fields = await signedFields(ctx)
  return answerOnce(ctx, 'text-messages', 204, () => noteInbound(ctx, fields))
}

async function noteInbound(ctx: Context, fields: URLSearchParams): Promise<undefined> {
  const from = fields.get('From')
  const word = (fields.get('Body') ?? '').trim().toUpperCase()
  const type = fields.get('OptOutType')
  if (!from) return undefined
  if (type === 'STOP' || STOP.has(word)) await optOut(ctx.env, senderOf(ctx.env), from, Date.now())
  else if (type === 'START' || START.has(word)) await optIn(ctx.env, senderOf(ctx.env), from)
  return undefined
}
