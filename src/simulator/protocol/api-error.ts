/** Error codes of the interface with the HTTP status we answer them with and their wording (supplement, section 2). */
const API_ERRORS = {
  PLACEMENT_PROHIBITED: [35, 400, 'Order placement is prohibited for this user.'],
  UNKNOWN: [-1000, 400, 'An unknown error occurred while processing the request.'],
  UNAUTHORIZED: [-1002, 401, 'You are not authorized to execute this request: X-CH-APIKEY is missing.'],
  TOO_MANY_REQUESTS: [-1003, 429, 'Too much request weight used; the limit is %s per minute.'],
  BANNED: [-1003, 418, 'Way too much request weight used; the address is banned until %s.'],
  RATE_LIMIT: [-1003, 410, 'Too many requests to %s.'],
  UNKNOWN_ORDER_COMPOSITION: [-1014, 400, 'Unsupported order combination.'],
  TOO_MANY_ORDERS: [-1015, 400, 'Too many open orders.'],
  ILLEGAL_CONTENT_TYPE: [-1017, 400, 'The Content-Type of the request must be application/json.'],
  UNSUPPORTED_OPERATION: [-1020, 400, 'This operation is not supported.'],
  INVALID_TIMESTAMP: [-1021, 400, 'Timestamp for this request is outside of the recvWindow.'],
  INVALID_SIGNATURE: [-1022, 401, 'Signature for this request is not valid.'],
  UNTIMESTAMP: [-1023, 400, 'X-CH-TS is missing.'],
  UNSIGNATURE: [-1024, 401, 'X-CH-SIGN is missing.'],
  ILLEGAL_CHARS: [-1100, 400, "Illegal characters found in parameter '%s'."],
  TOO_MANY_PARAMETERS: [-1101, 400, 'Too many parameters: %s.'],
  MANDATORY_PARAM_EMPTY_OR_MALFORMED: [
    -1102,
    400,
    "Mandatory parameter '%s' was not sent, was empty/null, or malformed.",
  ],
  UNKNOWN_PARAM: [-1103, 400, "An unknown parameter was sent: '%s'."],
  UNREAD_PARAMETERS: [-1104, 400, 'Not all sent parameters were read; %s.'],
  PARAM_EMPTY: [-1105, 400, "Parameter '%s' was empty."],
  PARAM_NOT_REQUIRED: [-1106, 400, "Parameter '%s' sent when not required."],
  BAD_PRECISION: [-1111, 400, 'Precision is over the maximum defined for this asset.'],
  NO_DEPTH: [-1112, 400, 'No orders on book for symbol.'],
  INVALID_ORDER_TYPE: [-1116, 400, 'Invalid orderType.'],
  INVALID_SIDE: [-1117, 400, 'Invalid side.'],
  EMPTY_NEW_CL_ORD_ID: [-1118, 400, 'New client order ID was empty.'],
  BAD_SYMBOL: [-1121, 400, 'Invalid symbol.'],
  ORDER_QUANTITY_TOO_SMALL: [-1136, 400, 'Order volume is less than the minimum %s.'],
  ORDER_PRICE_WAVE_EXCEED: [-1138, 400, 'Order price is outside the permitted range.'],
  ORDER_NOT_SUPPORT_MARKET: [-1139, 400, 'Market orders are not supported for symbol.'],
  ORDER_NOT_SUPPORT_CANCELLATION: [-1145, 400, 'The order status does not allow cancellation.'],
  PRICE_VOLUME_PRECISION: [-1147, 400, 'Price or volume precision exceeds the maximum.'],
  MINIMUM_NOTIONAL: [-1160, 400, 'Minimum order amount %s.'],
  NO_SUCH_ORDER: [-2013, 400, 'Order does not exist.'],
  REJECTED_CH_KEY: [-2015, 401, 'Invalid API key, IP, or permissions for action.'],
  EXCHANGE_LOCK: [-2016, 400, 'Trading is frozen.'],
  BALANCE_NOT_ENOUGH: [-2017, 400, 'Insufficient balance.'],
  PARAM_ERROR: [-2100, 400, 'Parameter error: %s.'],
  CLOSE_EXCEEDS_POSITION: [-1156, 400, 'The close volume exceeds the position.'],
  LEVERAGE_MISMATCH: [-1166, 400, 'The order differs from your leverage or margin mode of this contract.'],
  CLOSE_EXCEEDS_AVAILABLE: [10015, 400, 'The volume exceeds what is available to close.'],
} as const satisfies Record<string, readonly [code: number, status: number, message: string]>

/** Name of an error of the interface. */
export type ApiErrorName = keyof typeof API_ERRORS

/** The exchange refuses a request. */
export class ApiError extends Error {
  readonly code: number
  /** HTTP status. */
  readonly status: number

  /** `detail` takes the place of `%s` in the wording. */
  constructor(name: ApiErrorName, detail = '') {
    const [code, status, message] = API_ERRORS[name]
    super(message.replace('%s', detail))
    this.name = name
    this.code = code
    this.status = status
  }
}
