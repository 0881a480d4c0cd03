import type { Screen } from '../screen.ts'
import { addFromAccount, showAccount } from './account.tsx'
import { changeCalendar } from './change-calendar.ts'
import { createFeedFromConsole, revokeFeedFromConsole } from './change-feeds.tsx'
import { showChoice } from './choose.tsx'
import { goToProvider, showAdministrator } from './connect-at-provider.tsx'
import { connectFeed, showFeedForm } from './connect-feed.tsx'
import { connectServer, showServer } from './connect-server.tsx'
import {
  askToDisconnect,
  askToDisconnectZoom,
  disconnectFromConsole,
  disconnectZoomFromConsole,
} from './disconnect.tsx'
import { inviteFromConsole } from './invite.tsx'
import { showCalendars } from './overview.tsx'
import { syncFromConsole } from './sync.ts'

const AT = '/console/calendars'

export const calendarScreens: readonly Screen[] = [
  { method: 'GET', path: AT, show: showCalendars },
  { method: 'GET', path: `${AT}/connect`, show: showChoice },
  { method: 'GET', path: `${AT}/connect/administrator`, show: showAdministrator },
  { method: 'GET', path: `${AT}/connect/feed`, show: showFeedForm },
  { method: 'POST', path: `${AT}/connect/feed`, show: connectFeed },
  { method: 'POST', path: `${AT}/connect/invite`, show: inviteFromConsole },
  { method: 'GET', path: `${AT}/connect/:way`, show: showServer },
  { method: 'POST', path: `${AT}/connect/:way`, show: goToProvider },
  { method: 'POST', path: `${AT}/connect/server/:way`, show: connectServer },
  { method: 'GET', path: `${AT}/accounts/:id`, show: showAccount },
  { method: 'POST', path: `${AT}/accounts/:id`, show: addFromAccount },
  { method: 'POST', path: `${AT}/feeds`, show: createFeedFromConsole },
  { method: 'POST', path: `${AT}/feeds/:id/revoke`, show: revokeFeedFromConsole },
  { method: 'GET', path: `${AT}/zoom/disconnect`, show: askToDisconnectZoom },
  { method: 'POST', path: `${AT}/zoom/disconnect`, show: disconnectZoomFromConsole },
  { method: 'POST', path: `${AT}/:id/use`, show: changeCalendar },
  { method: 'POST', path: `${AT}/:id/sync`, show: syncFromConsole },
  { method: 'GET', path: `${AT}/:id/disconnect`, show: askToDisconnect },
  { method: 'POST', path: `${AT}/:id/disconnect`, show: disconnectFromConsole },
]
