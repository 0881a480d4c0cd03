import type { Json } from '../support/app.ts'

export type Operation = {
  readonly operationId: string
  readonly description: string
  readonly security: readonly Record<string, unknown>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>>
}

/** What tests read of the OpenAPI document. */
export type Document = {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}
