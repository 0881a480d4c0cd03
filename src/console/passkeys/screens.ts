import type { Screen } from '../screen.ts'
import { addOwnPasskey, offerNewPasskey, showNewPasskey } from './create.tsx'
import { enterByPasskey, offerEntry } from './enter.ts'
import { removeOwnPasskey, showPasskeys } from './list.tsx'
import { offerProof } from './prove.ts'

export const passkeyScreens: readonly Screen[] = [
  { level: 'anonymous', method: 'POST', path: '/console/sign-in/passkey', show: enterByPasskey },
  { level: 'anonymous', method: 'POST', path: '/console/sign-in/passkey/options', show: offerEntry },
  { level: 'signed-in', method: 'POST', path: '/console/confirm/passkey', show: offerProof },
  { method: 'GET', path: '/console/settings/passkeys', show: showPasskeys },
  { method: 'GET', path: '/console/settings/passkeys/new', show: showNewPasskey },
  { method: 'POST', path: '/console/settings/passkeys/new', show: addOwnPasskey },
  { method: 'POST', path: '/console/settings/passkeys/options', show: offerNewPasskey },
  { method: 'POST', path: '/console/settings/passkeys/:id/remove', show: removeOwnPasskey },
]
