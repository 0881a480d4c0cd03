import type { Screen } from '../screen.ts'
import { showCall } from './call.tsx'
import { showCalls } from './calls.tsx'
import { showEndpoint } from './endpoint.tsx'
import {
  changeEndpoint,
  deleteEndpointInConsole,
  retryInConsole,
  rotateInConsole,
  sendSample,
  showEndpointForm,
  verifyInConsole,
} from './endpoint-actions.ts'
import { showEndpoints } from './endpoints.tsx'
import { showEvents } from './events.tsx'
import { showExplain } from './explain.tsx'
import { showKeys } from './keys.tsx'
import { createEndpointInConsole, showNewEndpoint } from './new-endpoint.tsx'
import { createKeyInConsole, showNewKey } from './new-key.tsx'
import { showOutboxEmail } from './outbox-email.ts'
import { revokeKeyInConsole } from './revoke-key.ts'
import { showSandbox } from './sandbox.tsx'
import { changeClock, emptySandbox, fillSandbox, simulatePayment } from './sandbox-actions.ts'

export const developerScreens: readonly Screen[] = [
  { method: 'GET', path: '/console/developers', show: showKeys },
  { method: 'GET', path: '/console/developers/keys/new', show: showNewKey },
  { method: 'POST', path: '/console/developers/keys/new', show: createKeyInConsole },
  { method: 'POST', path: '/console/developers/keys/:id/revoke', show: revokeKeyInConsole },
  { method: 'GET', path: '/console/developers/webhooks', show: showEndpoints },
  { method: 'GET', path: '/console/developers/webhooks/new', show: showNewEndpoint },
  { method: 'POST', path: '/console/developers/webhooks/new', show: createEndpointInConsole },
  { method: 'GET', path: '/console/developers/webhooks/:id', show: showEndpoint },
  { method: 'GET', path: '/console/developers/webhooks/:id/edit', show: showEndpointForm },
  { method: 'POST', path: '/console/developers/webhooks/:id/edit', show: changeEndpoint },
  { method: 'POST', path: '/console/developers/webhooks/:id/verify', show: verifyInConsole },
  { method: 'POST', path: '/console/developers/webhooks/:id/test', show: sendSample },
  { method: 'POST', path: '/console/developers/webhooks/:id/rotate-secret', show: rotateInConsole },
  { method: 'POST', path: '/console/developers/webhooks/:id/delete', show: deleteEndpointInConsole },
  {
    method: 'POST',
    path: '/console/developers/webhooks/:id/deliveries/:deliveryId/retry',
    show: retryInConsole,
  },
  { method: 'GET', path: '/console/developers/events', show: showEvents },
  { method: 'GET', path: '/console/developers/explain', show: showExplain },
  { method: 'GET', path: '/console/developers/sandbox', show: showSandbox },
  { method: 'GET', path: '/console/developers/sandbox/outbox/:id', show: showOutboxEmail },
  { method: 'POST', path: '/console/developers/sandbox/fill', show: fillSandbox },
  { method: 'POST', path: '/console/developers/sandbox/empty', show: emptySandbox },
  { method: 'POST', path: '/console/developers/sandbox/clock', show: changeClock },
  { method: 'POST', path: '/console/developers/sandbox/payments/:id/:what', show: simulatePayment },
  { method: 'GET', path: '/console/developers/requests', show: showCalls },
  { method: 'GET', path: '/console/developers/requests/:id', show: showCall },
]
