import { type Reaction, SluiceError } from '../../domain/sluice-error.ts'
import { exchangeCodeOf, isOrderNotFoundCode } from './exchange-code.ts'

/** Refusal of a call by the exchange. */
export interface ExchangeErrorDetails {
  /** Key of the endpoint. */
  readonly endpoint: string
  readonly httpStatus: number
  /** The exchange's own code; `undefined` if the answer was not an error envelope. */
  readonly exchangeCode: number | undefined
  /** The exchange's own text. */
  readonly reason: string
  /** True for a call that needs no key. */
  readonly isPublic?: boolean
}

/** Answered for a missing key, and by gateways for a path that they do not know. */
const UNAUTHORIZED = -1002

const UNKNOWN_PATH =
  ' The call needs no key, so this is not about yours: the host does not know its path, or its gateway is in trouble; npm run doctor -- --venue shows which calls it has.'

const SIGNED_UNKNOWN_PATH =
  ' A host also answers so to a path or version that it does not have. So look at venue.profile first: npm run doctor -- --venue shows the calls and versions of the host. Only where the path is right is it about the key.'

/** Answered for a signature that the host has computed otherwise: of another secret, or of another path. */
const INVALID_SIGNATURE = -1022

const OTHER_SIGNATURE =
  ' If the key and its secret are right, the host may not know this path, or may sign it otherwise: is venue.profile that of this host? npm run doctor -- --venue shows it.'

/** ORDER_PRICE_WAVE_EXCEED: the price is outside the band of the host. */
const OUTSIDE_PRICE_BAND = -1138

const SMALLER_SLIPPAGE =
  ' The price is farther from the market than the host takes. An order at market is sent as far away as execution.maxSlippageRate allows; if it was one, give a smaller rate.'

/** HTTP statuses that report a broken rate limit (interface section 7.2). */
export const RATE_LIMIT_STATUSES: ReadonlySet<number> = new Set([410, 418, 429])

/** The exchange refused a call. A refused write was not executed. */
export class ExchangeError extends SluiceError {
  readonly endpoint: string
  readonly httpStatus: number
  readonly exchangeCode: number | undefined
  /** Published name of the code. */
  readonly exchangeName: string | undefined
  /** The exchange's own text. */
  readonly reason: string

  constructor({ endpoint, httpStatus, exchangeCode, reason, isPublic = false }: ExchangeErrorDetails) {
    const isUnknownPath = isPublic && exchangeCode === UNAUTHORIZED
    const hint = isUnknownPath ? UNKNOWN_PATH : isPublic ? '' : hintOf(exchangeCode)
    const name = exchangeCode === undefined ? undefined : exchangeCodeOf(exchangeCode)?.name
    const what = [exchangeCode, name].filter(part => part !== undefined).join(' ')
    super(
      `The exchange refused ${endpoint} with ${what === '' ? 'no code' : what} (HTTP ${httpStatus}): ${reason}${hint}`,
      {
        code: 'EXCHANGE_REFUSED',
        reaction: isUnknownPath ? 'retry' : reactionTo(httpStatus, exchangeCode),
      },
    )
    this.endpoint = endpoint
    this.httpStatus = httpStatus
    this.exchangeCode = exchangeCode
    this.exchangeName = name
    this.reason = reason
  }
}

/** True if a call failed because the order does not exist at the exchange. */
export function isOrderNotFound(error: unknown): error is ExchangeError {
  return error instanceof ExchangeError && isOrderNotFoundCode(error.exchangeCode)
}

/** Likely cause of a refused signed call, with a space before it; empty for a code that says all. */
function hintOf(exchangeCode: number | undefined): string {
  if (exchangeCode === UNAUTHORIZED) return SIGNED_UNKNOWN_PATH
  if (exchangeCode === INVALID_SIGNATURE) return OTHER_SIGNATURE
  return exchangeCode === OUTSIDE_PRICE_BAND ? SMALLER_SLIPPAGE : ''
}

function reactionTo(httpStatus: number, exchangeCode: number | undefined): Reaction {
  if (RATE_LIMIT_STATUSES.has(httpStatus)) return 'retry'
  const known = exchangeCode === undefined ? undefined : exchangeCodeOf(exchangeCode)
  if (known !== undefined) return known.reaction
  if (httpStatus === 401 || httpStatus === 403) return 'halt'
  return httpStatus >= 500 ? 'retry' : 'skip'
}
