import { StripeError } from './send-call.ts'

/** A refusal of what every platform may do: the operator has to switch something on, or confirm it, at the provider. */
export class PlatformRefusal extends StripeError {
  constructor(error: unknown) {
    const { message, statusCode, ...told } = error as StripeError
    super(message, statusCode, { ...(told as object) }, error)
  }
}

/**
 * Whether only the operator can help: by a key that is valid and may do it, by a switch, or by confirming a call that was
 * not made for long. Source: https://docs.stripe.com/error-low-level;
 * https://docs.stripe.com/changelog/endive/2026-11-18/error-code-for-blocked-account-creation-requests
 */
export function needsOperator(error: StripeError): boolean {
  if (error instanceof PlatformRefusal || error.statusCode === 401) return true
  return error.code === 'inactive_api_operation_confirmation_required'
}
