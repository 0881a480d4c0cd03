/** A text message as the provider takes it. */
export type TextMessage = {
  /** E.164. */
  readonly to: string
  readonly body: string
  /** Where the provider reports the status to. */
  readonly statusUrl: string
}

/** Sends text messages. Throws a `TextError`. */
export type TextProvider = {
  /** The number or the service that they come from, for opt-outs. */
  readonly sender: string
  readonly send: (message: TextMessage) => Promise<{ readonly id: string; readonly segments: number | null }>
}

/** Why a message was not taken. Final ones are not tried again. */
export class TextError extends Error {
  readonly code: string
  readonly isFinal: boolean
  readonly isOptOut: boolean
  readonly retryAfterSeconds: number

  constructor(
    code: string,
    { isFinal = false, isOptOut = false, retryAfterSeconds = 0 }: Partial<Omit<TextError, 'code'>> = {},
  ) {
    super(`the provider of text messages answered ${code}`)
    this.code = code
    this.isFinal = isFinal
    this.isOptOut = isOptOut
    this.retryAfterSeconds = retryAfterSeconds
  }
}
