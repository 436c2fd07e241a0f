import type { z } from 'zod'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ExchangeResponse } from '../protocol/exchange-response.ts'

/** The refusal of an admin call; errors that are not the caller's are thrown on. */
export function adminRefusal(error: unknown): ExchangeResponse {
  if (!(error instanceof UsageError)) throw error
  return { status: 400, body: JSON.stringify({ code: error.code, msg: error.message }) }
}

/** Parses a body by `schema`; throws one `UsageError` that lists every problem of the body. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw new UsageError(result.error.issues.map(sentenceOf).join('\n'))
}

function sentenceOf({ code, path, message }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys') return message
  return `${path.join('.') || 'The body'} must be ${message}.`
}

/** The JSON of a body, an empty object for an empty body; throws `UsageError` for invalid JSON. */
export function parseBody(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch (cause) {
    throw new UsageError('The body must be JSON.', cause)
  }
}
