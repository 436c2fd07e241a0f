import type { LosslessJson } from '../wire/lossless-json.ts'

/** Code and reason of an error answer. */
export interface ErrorAnswer {
  /** `undefined` if the envelope has none. */
  readonly code: number | undefined
  readonly reason: string
}

type JsonObject = Readonly<Record<string, LosslessJson>>

/** Success codes: `0` of the envelopes, `200` of the summary feed (interface section 7.3). */
const SUCCESS_CODES: ReadonlySet<LosslessJson> = new Set(['0', '200'])

function isObject(body: LosslessJson): body is JsonObject {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

/**
 * The refusal in an answer, at any HTTP status: `{code, msg}` with a number or text as code, the gateway's
 * `succ: false`, or the web framework's `{timestamp, status, error, path}`. `undefined` if the answer is not
 * a refusal.
 */
export function refusalIn(body: LosslessJson): ErrorAnswer | undefined {
  if (!isObject(body)) return undefined
  if (isFailedEnvelope(body)) return { code: integerOf(body.code), reason: reasonOf(body) }
  if ('status' in body && 'error' in body && 'path' in body) {
    return {
      code: undefined,
      reason: [textOf(body.error), textOf(body.message)].filter(Boolean).join(': '),
    }
  }
  return undefined
}

/** Content of a success envelope `{code, msg, data}`; any other answer unchanged. */
export function contentOf(body: LosslessJson): LosslessJson {
  return isObject(body) && 'code' in body && 'data' in body ? (body.data ?? null) : body
}

function isFailedEnvelope(body: JsonObject): boolean {
  if (!('code' in body)) return false
  return body.succ === false || !SUCCESS_CODES.has(body.code ?? null)
}

function reasonOf(body: JsonObject): string {
  const data = body.data ?? null
  const tips = isObject(data) ? textOf(data.custom_error_tips) : ''
  return tips || textOf(body.msg) || textOf(body.message) || 'no reason given.'
}

function textOf(value: LosslessJson | undefined): string {
  return typeof value === 'string' ? value : ''
}

function integerOf(value: LosslessJson | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}
