import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import {
  exactJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonDigits,
  jsonText,
  parseJsonText,
} from '../protocol/json-text.ts'
import { enveloped, shaped } from './answer-shape.ts'
import type { Dialect } from './dialect.ts'
import type { DocumentedCall } from './dialect-routes.ts'
import { chineseRefusal } from './refusal-texts.ts'

/** Keys of ids that the exchange gives. */
const IDS: ReadonlySet<string> = new Set(['orderId', 'id', 'tradeId', 'bidId', 'askId', 'contractId'])
/** Codes of answers that report success. */
const SUCCESS: ReadonlySet<string> = new Set(['0', '200'])
/** A gateway refuses with these whatever the host's habits are. */
const LIMIT_STATUSES: ReadonlySet<number> = new Set([410, 418, 429])

/** An answer of the documented exchange as a host of a dialect gives it; anything that is not JSON stays as it is. */
export function dialectAnswer(
  response: ExchangeResponse,
  call: DocumentedCall,
  dialect: Dialect,
): ExchangeResponse {
  const answer = parseJsonText(response.body)
  if (answer === undefined) return response
  const code = isJsonObject(answer) ? textOf(answer.code) : undefined
  if (isJsonObject(answer) && code !== undefined && !SUCCESS.has(code))
    return refused(response, answer, code, dialect)
  return { ...response, body: jsonText(toldIn(answer, call, dialect)) }
}

function toldIn(answer: JsonValue, { key, host }: DocumentedCall, dialect: Dialect): JsonValue {
  const shape = dialect.answers?.[key]
  const own = shape === undefined ? answer : shaped(answer, shape)
  const told = dialect.envelopsFutures && host === 'futures' ? enveloped(own) : own
  const changed = dialect.ids || dialect.contractPrefix ? changedValues(told, dialect) : told
  return withSuccessText(changed, dialect.successText)
}

function withSuccessText(answer: JsonValue, msg: string | undefined): JsonValue {
  const isEnvelope = isJsonObject(answer) && textOf(answer.code) === '0'
  return msg !== undefined && isEnvelope ? { ...answer, msg } : answer
}

function refused(
  response: ExchangeResponse,
  answer: JsonObject,
  code: string,
  { refusesWithOk, refusalText }: Dialect,
): ExchangeResponse {
  const { status } = response
  if (status >= 500 || LIMIT_STATUSES.has(status)) return response
  const msg =
    refusalText === 'chinese' ? chineseRefusal(code) : refusalText === 'empty' ? '' : (answer.msg ?? '')
  return { ...response, status: refusesWithOk ? 200 : status, body: jsonText({ ...answer, msg }) }
}

/** Ids in their form and contracts by their names, in the whole answer. */
function changedValues(value: JsonValue, dialect: Dialect): JsonValue {
  if (Array.isArray(value)) return value.map(item => changedValues(item, dialect))
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item = null]) => [
        contractCode(key, dialect),
        IDS.has(key) && dialect.ids !== undefined ? idAs(dialect.ids, item) : changedValues(item, dialect),
      ]),
    )
  }
  const { contractPrefix } = dialect
  return contractPrefix !== undefined && typeof value === 'string'
    ? value.replace(/^E-(?=[A-Z0-9]+-[A-Z0-9]+$)/, `${contractPrefix}-`)
    : value
}

/** The key of a contract among all tickers: `e_btcusdt`. */
function contractCode(key: string, { contractPrefix }: Dialect): string {
  return contractPrefix === undefined
    ? key
    : key.replace(/^e_(?=[a-z0-9]+$)/, `${contractPrefix.toLowerCase()}_`)
}

function idAs(form: 'text' | 'number', id: JsonValue): JsonValue {
  const text = textOf(id)
  if (text === undefined || !/^\d+$/.test(text)) return id
  return form === 'text' ? text : exactJsonNumber(text)
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : jsonDigits(value)
}
