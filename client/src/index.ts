export { type ClientOptions, createClient } from './client.ts'
export { HoldfastError, paginate } from './paginate.ts'
export type { components, paths } from './schema.ts'
export type {
  Challenge,
  Client,
  DataOf,
  ErrorOf,
  Event,
  InitOf,
  ItemOf,
  ListPath,
  Operation,
  PathsWith,
  Result,
  Schemas,
} from './types.ts'
export { signWebhook, verifyWebhook, WebhookError, type WebhookHeaders } from './webhooks.ts'
