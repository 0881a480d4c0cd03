import type { Refusal } from '../platform/http/errors.ts'

/** The numbers of JSON-RPC, and those that the protocol adds to them. */
export const NUMBERS = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
  /** What no revision has a number for. */
  notTaken: -32_000,
} as const

/** A refusal as an error of the protocol. */
export type ProtocolError = {
  readonly number: number
  readonly refusal: Refusal
  /** The status of the answer, if it is not that of the refusal's code. */
  readonly status?: number
  /** What the protocol wants in `data`, beside what every refusal has there. */
  readonly also?: Readonly<Record<string, unknown>>
  readonly suggestedNextAction?: string
}
