import type { Env } from '../../env.ts'
import type { PublicCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { shardsOf } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { answerOnce } from '../../platform/http/idempotency.ts'
import { readBody } from '../../platform/http/read-body.ts'
import type { HandlerResult } from '../../platform/http/route.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { askMeetingAccount } from '../accounts/ask-account.ts'
import { readZoomNotification } from '../zoom/read-notification.ts'
import { tellOfEnd } from './accounts/notify-end.ts'
import { deleteAccount, selectDeauthorized } from './accounts/queries.ts'
import type { ZoomAnswer } from './schema.ts'

const REMOVED = 'The app was removed at Zoom.'

/** Zoom reports a user who removed the app, or checks that this address knows the secret. */
export async function receiveNotification(ctx: Context<PublicCaller>): Promise<HandlerResult<ZoomAnswer>> {
  const { env, request } = ctx
  const secrets = (env.ZOOM_WEBHOOK_SECRET ?? '').split(',').flatMap((each) => each.trim() || [])
  if (secrets.length === 0) throw refuse('zoom_webhook_not_configured')
  const proof = {
    signature: request.headers.get('x-zm-signature') ?? '',
    timestamp: request.headers.get('x-zm-request-timestamp') ?? '',
  }
  const told = await readZoomNotification(await readBody(request), proof, secrets, realNow())
  if (!told) throw refuse('zoom_signature_wrong')

  return answerOnce<ZoomAnswer>(ctx, 'zoom', 200, async () => {
    if (told.kind === 'deauthorized') {
      await Promise.all(shardsOf(env).map((home) => deauthorize(home, told.userId, told.at)))
    }
    return told.kind === 'challenge'
      ? { plainToken: told.token, encryptedToken: told.proof }
      : { received: true }
  })
}

/** Zoom wants nothing of them to be kept. What was connected since then stays: the user added the app again. */
async function deauthorize(env: Env, userId: string, at: number): Promise<void> {
  const db = openDb(env, 'decide')
  for (const account of await selectDeauthorized(db, userId, at)) {
    const isLive = account.status === 'active' || account.status === 'error'
    const told = isLive ? await tellOfEnd(env, db, account, REMOVED, realNow()) : null
    await commitBatch(db, [deleteAccount(db, account.id), ...(told?.statements ?? [])])
    await told?.announce()
    await askMeetingAccount(env, account.id).changed()
  }
}
