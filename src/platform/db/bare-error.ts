/**
 * What may be told of a failure, in a log or across an object: the message of a failed query holds its
 * parameters, so its cause speaks instead, and of the stack only the places.
 */
export function bareError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(typeof error)
  const told = error.cause instanceof Error ? error.cause : error
  const bare = new Error(told.message.split('\n')[0])
  const places = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  bare.stack = [`${told.name}: ${bare.message}`, ...places].join('\n')
  return bare
}
