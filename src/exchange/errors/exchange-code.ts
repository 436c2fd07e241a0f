import type { Reaction } from '../../domain/sluice-error.ts'

/** Published name of an error code, and the bot's reaction to it. */
export interface ExchangeCode {
  readonly name: string
  readonly reaction: Reaction
  /** A write answered with this code may still have been executed. */
  readonly outcomeUnknown?: true
}

/**
 * Published error codes of the interface, from hosts that run it; a code without a published name is named by
 * its meaning.
 */
const EXCHANGE_CODES: ReadonlyMap<number, ExchangeCode> = new Map<number, ExchangeCode>([
  [-1000, { name: 'UNKNOWN', reaction: 'retry', outcomeUnknown: true }],
  [-1001, { name: 'DISCONNECTED', reaction: 'retry', outcomeUnknown: true }],
  [-1002, { name: 'UNAUTHORIZED', reaction: 'halt' }],
  [-1003, { name: 'TOO_MANY_REQUESTS', reaction: 'retry' }],
  [-1004, { name: 'NO_THIS_COMPANY', reaction: 'halt' }],
  [-1006, { name: 'UNEXPECTED_RESP', reaction: 'retry', outcomeUnknown: true }],
  [-1007, { name: 'TIMEOUT', reaction: 'retry', outcomeUnknown: true }],
  [-1014, { name: 'UNKNOWN_ORDER_COMPOSITION', reaction: 'skip' }],
  [-1015, { name: 'TOO_MANY_ORDERS', reaction: 'skip' }],
  [-1016, { name: 'SERVICE_SHUTTING_DOWN', reaction: 'retry' }],
  [-1017, { name: 'ILLEGAL_CONTENT_TYPE', reaction: 'skip' }],
  [-1020, { name: 'UNSUPPORTED_OPERATION', reaction: 'skip' }],
  [-1021, { name: 'INVALID_TIMESTAMP', reaction: 'retry' }],
  [-1022, { name: 'INVALID_SIGNATURE', reaction: 'halt' }],
  [-1023, { name: 'UNTIMESTAMP', reaction: 'halt' }],
  [-1024, { name: 'UNSIGNATURE', reaction: 'halt' }],
  [-1100, { name: 'ILLEGAL_CHARS', reaction: 'skip' }],
  [-1101, { name: 'TOO_MANY_PARAMETERS', reaction: 'skip' }],
  [-1102, { name: 'MANDATORY_PARAM_EMPTY_OR_MALFORMED', reaction: 'skip' }],
  [-1103, { name: 'UNKNOWN_PARAM', reaction: 'skip' }],
  [-1104, { name: 'UNREAD_PARAMETERS', reaction: 'skip' }],
  [-1105, { name: 'PARAM_EMPTY', reaction: 'skip' }],
  [-1106, { name: 'PARAM_NOT_REQUIRED', reaction: 'skip' }],
  [-1111, { name: 'BAD_PRECISION', reaction: 'skip' }],
  [-1112, { name: 'NO_DEPTH', reaction: 'skip' }],
  [-1116, { name: 'INVALID_ORDER_TYPE', reaction: 'skip' }],
  [-1117, { name: 'INVALID_SIDE', reaction: 'skip' }],
  [-1118, { name: 'EMPTY_NEW_CL_ORD_ID', reaction: 'skip' }],
  [-1121, { name: 'BAD_SYMBOL', reaction: 'skip' }],
  [-1136, { name: 'ORDER_QUANTITY_TOO_SMALL', reaction: 'skip' }],
  [-1138, { name: 'ORDER_PRICE_WAVE_EXCEED', reaction: 'skip' }],
  [-1139, { name: 'ORDER_NOT_SUPPORT_MARKET', reaction: 'skip' }],
  [-1145, { name: 'ORDER_NOT_SUPPORT_CANCELLATION', reaction: 'skip' }],
  [-1147, { name: 'PRICE_VOLUME_PRESION_ERROR', reaction: 'skip' }],
  [-1156, { name: 'close volume exceeds position', reaction: 'skip' }],
  [-1160, { name: 'order amount below minimum', reaction: 'skip' }],
  [-1166, { name: 'leverage differs from the contract configuration', reaction: 'skip' }],
  [-1196, { name: 'order not found', reaction: 'skip' }],
  [-1203, { name: 'order not found', reaction: 'skip' }],
  [-2013, { name: 'NO_SUCH_ORDER', reaction: 'skip' }],
  [-2015, { name: 'REJECTED_CH_KEY', reaction: 'halt' }],
  // One pair may be frozen while others trade, and the bot has stops to watch.
  [-2016, { name: 'EXCHANGE_LOCK', reaction: 'skip' }],
  [-2017, { name: 'BALANCE_NOT_ENOUGH', reaction: 'skip' }],
  [-2100, { name: 'PARAM_ERROR', reaction: 'skip' }],
  [-2200, { name: 'ORDER_CREATE_FAILS', reaction: 'halt' }],
  [1, { name: 'fail', reaction: 'skip' }],
  [35, { name: 'order placement prohibited', reaction: 'halt' }],
  [10015, { name: 'close volume exceeds what can be closed', reaction: 'skip' }],
  [10081, { name: 'take-profit volume below minimum', reaction: 'skip' }],
  [110047, { name: 'below minimum price or amount', reaction: 'skip' }],
  [110049, { name: 'insufficient balance', reaction: 'skip' }],
])

const ORDER_NOT_FOUND: ReadonlySet<number> = new Set([-1196, -1203, -2013])

/** Name and reaction of a code; `undefined` for an unpublished code. */
export function exchangeCodeOf(code: number): ExchangeCode | undefined {
  return EXCHANGE_CODES.get(code)
}

/** True for a code that says that the order does not exist. */
export function isOrderNotFoundCode(code: number | undefined): boolean {
  return code !== undefined && ORDER_NOT_FOUND.has(code)
}
