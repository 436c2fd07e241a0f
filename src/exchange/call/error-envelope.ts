import type { LosslessJson } from '../wire/lossless-json.ts'

/** Code and reason of an error answer. */
export interface ErrorAnswer {
  /** `undefined` if the envelope has none. */
  readonly code: number | undefined
  readonly reason: string
}

type JsonObject = Readonly<Record<string, LosslessJson>>

/** Success codes: `0` of the envelopes, `200` of the summary feed (interface section 7.3). */
const SUCCESS_CODES: ReadonlySet<number | undefined> = new Set([0, 200])

/** Keys of a success envelope; some hosts send a part of them. */
const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['code', 'msg', 'message', 'msgData', 'succ', 'data'])

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

/**
 * Content of a success envelope: `data` beside a success code, and `data` that is not empty beside any part of
 * `{code, msg, succ}`. Any other answer unchanged: without a success code, empty `data` is no empty list.
 */
export function contentOf(body: LosslessJson): LosslessJson {
  if (!isObject(body) || !('data' in body)) return body
  const data = body.data ?? null
  if (isGiven(body.code) || isSaid(body.succ, true)) return data
  return data !== null && Object.keys(body).every(key => ENVELOPE_KEYS.has(key)) ? data : body
}

function isFailedEnvelope(body: JsonObject): boolean {
  if (isSaid(body.succ, false)) return true
  if (isGiven(body.code)) return !SUCCESS_CODES.has(integerOf(body.code))
  return 'code' in body && (body.data ?? null) === null && !isSaid(body.succ, true)
}

/** Some hosts send an empty code with a success. */
function isGiven(code: LosslessJson | undefined): boolean {
  return code !== undefined && code !== null && code !== ''
}

function isSaid(value: LosslessJson | undefined, flag: boolean): boolean {
  return value === flag || value === String(flag)
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
