import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { connectProvider } from './connect-provider.ts'
import { disconnectProvider } from './disconnect-provider.ts'
import { getConnection } from './get-connection.ts'
import { ConnectPage, ConnectQuery, Disconnected, ProviderConnection } from './schema.ts'

const CONNECTION = { tag: 'Payment Provider', auth: 'key', limit: 'counted' } as const

export const paymentProviderRoutes = defineRoutes({
  connectPaymentProvider: defineRoute({
    ...CONNECTION,
    method: 'GET',
    path: '/v1/payment-provider/connect',
    summary: 'Connect the payment provider',
    description:
      "Creates the organization's account at the provider once, in `country`, and returns a new page for setting it up. The sandbox is already connected to a simulated provider: its page is the return URL itself.",
    permission: 'administer',
    scope: 'shared',
    request: { query: ConnectQuery },
    response: { status: 200, body: ConnectPage },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'bad_gateway',
    ],
    handler: (ctx, { query }) => connectProvider(ctx, query),
  }),
  getPaymentProviderStatus: defineRoute({
    ...CONNECTION,
    method: 'GET',
    path: '/v1/payment-provider/status',
    summary: 'Get the connection to the payment provider',
    description: 'Queries the provider. The sandbox is always connected, to a simulated one.',
    permission: 'read',
    scope: 'read',
    request: {},
    response: { status: 200, body: ProviderConnection },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'bad_gateway',
    ],
    handler: getConnection,
  }),
  disconnectPaymentProvider: defineRoute({
    ...CONNECTION,
    method: 'DELETE',
    path: '/v1/payment-provider',
    summary: 'Disconnect the payment provider',
    description:
      'Paid bookings are refused from then on; payments already made can still be read and refunded. Repeating it is harmless; the simulated connection of the sandbox stays.',
    permission: 'administer',
    scope: 'shared',
    request: {},
    response: { status: 200, body: Disconnected },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: disconnectProvider,
  }),
})
