import { randomBytes, randomInt } from 'node:crypto'
import type { Frame, Json } from '../world.ts'

/** What `PUT /control` changes. */
export type Settings = {
  /** What consent grants instead of the scopes of the app, parted by spaces, as where its user unticked some. */
  grantedScope: string | null
  /** Of accounts that are made from now on. */
  timeZone: string
  /** `failed`: the host may not host meetings (3161). Zoom makes meetings at once, so `pending` is like `ready`. */
  meeting: 'ready' | 'pending' | 'failed'
  /** Of every account; decides about requests in a second. */
  plan: 'free' | 'pro' | 'business'
  /** Meetings that may be made or changed for one host in a day of UTC. */
  dailyMeetingRequests: number
  /** Whether the answer beyond that has the headers of the documentation, or those that users saw instead. */
  dailyLimitHeaders: 'documented' | 'reported'
  /** What a refresh token that was used before does: it is refused, and may take the live grant with it. */
  reusedRefreshToken: 'is refused' | 'ends the grant'
}

/** What `PUT /control/registration` changes: the app as its developer keeps it at the Marketplace. */
export type Registration = {
  clientId: string
  clientSecret: string
  /** Null lets every address in; else one must begin like one of these, a port of 127.0.0.1 aside. */
  redirectUris: string[] | null
  /** Granular ones, or classic ones such as `meeting:write`. */
  scopes: string[]
  /** Zoom took the app down. */
  isDisabled: boolean
  /** Administrators allow each app beforehand. */
  needsAdminApproval: boolean
  /** Where Zoom reports that a user removed the app. */
  notificationUrl: string | null
  secretToken: string
  verificationToken: string
}

export type Meeting = Json & { id: number; topic: string; start_time?: string }

export type User = {
  id: string
  accountId: string
  email: string
  name: string
  pmi: number
  timeZone: string
  createdAt: number
  meetings: Map<number, Meeting>
  /** Requests that made or changed a meeting, of one day of UTC. */
  daily: { day: string; count: number }
}

export type Ending = 'consented again' | 'revoked' | 'expired' | 'removed' | 'disabled' | 'reused'

export type Grant = {
  user: User
  scope: string
  /** When each ends, the newest last. */
  accessTokens: Map<string, number>
  refreshToken: string
  refreshEndsAt: number
  usedRefreshTokens: Set<string>
  ending: Ending | null
}

export type Code = {
  user: User
  redirectUri: string
  challenge: string | null
  method: string
  scope: string
  endsAt: number
}

export type Zoom = {
  readonly frame: Frame
  settings: Settings
  registration: Registration
  readonly users: Map<string, User>
  readonly grants: Grant[]
  readonly codes: Map<string, Code>
  /** Requests of an account in a second, by label. */
  readonly seconds: Map<string, number>
}

export function holdZoom(frame: Frame): Zoom {
  return {
    frame,
    settings: {
      grantedScope: null,
      timeZone: 'Europe/Berlin',
      meeting: 'ready',
      plan: 'pro',
      dailyMeetingRequests: 100,
      dailyLimitHeaders: 'documented',
      reusedRefreshToken: 'is refused',
    },
    registration: {
      clientId: 'holdfast-double',
      clientSecret: 'double-secret_1',
      redirectUris: null,
      scopes: [
        'user:read:user',
        'meeting:read:meeting',
        'meeting:write:meeting',
        'meeting:update:meeting',
        'meeting:delete:meeting',
      ],
      isDisabled: false,
      needsAdminApproval: false,
      notificationUrl: null,
      secretToken: 'double-webhook-secret_1',
      verificationToken: 'double-verification-token',
    },
    users: new Map(),
    grants: [],
    codes: new Map(),
    seconds: new Map(),
  }
}

/** An account of that address, made when it is first named. */
export function userOf(zoom: Zoom, email: string): User {
  const known = zoom.users.get(email)
  if (known) return known
  const user: User = {
    id: randomId(),
    accountId: randomId(),
    email,
    name: email.split('@')[0]!.replace(/^./, (letter) => letter.toUpperCase()),
    pmi: randomInt(1_000_000_000, 9_999_999_999),
    timeZone: zoom.settings.timeZone,
    createdAt: zoom.frame.now() - 400 * 86_400_000,
    meetings: new Map(),
    daily: { day: '', count: 0 },
  }
  zoom.users.set(email, user)
  return user
}

/** There is one live grant for a user and an app: see issue-tokens.ts. */
export function liveGrant(zoom: Zoom, user: User): Grant | undefined {
  return zoom.grants.find((grant) => grant.user === user && grant.ending === null)
}

/** 22 characters, as `zJKyaiAyTNC-MWjiWC18KQ`. */
export function randomId(): string {
  return randomBytes(16).toString('base64url')
}
