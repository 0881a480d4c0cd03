import { ERRORS, type ErrorCode } from './errors.ts'

const ERROR = {
  type: 'object',
  description: 'Every refusal has this shape. Branch on `code`, not on `message`.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        details: { type: 'object', additionalProperties: true },
      },
    },
  },
  example: {
    error: {
      code: 'validation_error',
      message: 'The request is not valid: see title.',
      details: { title: 'Is required.' },
    },
  },
}

const RATE_LIMIT_ERROR = {
  description:
    'Too many requests. The fields beside `error` are told of keys; the public gets `retry_after`.',
  allOf: [
    { $ref: '#/components/schemas/Error' },
    {
      type: 'object',
      required: ['retry_after'],
      properties: {
        limit: { type: 'integer' },
        window: { type: 'string', enum: ['1m', '24h'] },
        reset_at: { type: 'string', format: 'date-time' },
        retry_after: { type: 'integer', description: 'Seconds.' },
        tier: { type: 'string' },
      },
    },
  ],
}

export const ERROR_SCHEMAS = { Error: ERROR, RateLimitError: RATE_LIMIT_ERROR } as const

/** The content of an answer that refuses for one of `codes`, with an example of each. */
export function errorContent(codes: readonly ErrorCode[]) {
  const isBrake = codes.includes('rate_limit_exceeded')
  const examples = codes.map((code) => {
    const value = { error: { code, message: ERRORS[code].means }, ...(isBrake && { retry_after: 12 }) }
    return [code, { value }] as const
  })
  const $ref = `#/components/schemas/${isBrake ? 'RateLimitError' : 'Error'}`
  return { 'application/json': { schema: { $ref }, examples: Object.fromEntries(examples) } }
}
