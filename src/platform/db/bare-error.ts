/**
 * What of a failure may be logged or sent across objects: the message of a failed query holds its parameters, so only its cause
 * is used, and of the stack only the locations.
 */
export function bareError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(typeof error)
  const told = error.cause instanceof Error ? error.cause : error
  const bare = new Error(told.message.split('\n')[0])
  const places = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  bare.stack = [`${told.name}: ${bare.message}`, ...places].join('\n')
  return bare
}
