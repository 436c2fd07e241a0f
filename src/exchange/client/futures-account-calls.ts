import type { EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import type { FuturesBalance } from '../futures/futures-balance.ts'
import {
  ASSET_TYPE_CODES,
  POSITION_MODEL_CODES,
  POSITION_TYPE_CODES,
  type PositionType,
} from '../futures/futures-code.ts'
import {
  type FuturesTransaction,
  type FuturesTransactionType,
  TRANSACTION_TYPE_CODES,
} from '../futures/futures-transaction.ts'
import type { ExactNumber } from '../spot/order-placement.ts'
import { oldestFirst } from '../wire/oldest-first.ts'
import { codeOf } from '../wire/wire-field.ts'

/** Filter of the transaction list; times in ms UTC. */
export interface FuturesTransactionQuery {
  /** Such as `USDT`. */
  readonly marginCoin: string
  readonly startTime: number
  readonly endTime: number
  /** Default: all. */
  readonly type?: FuturesTransactionType
  /** Account of the transactions: own trading, lead trader or copy trader; default `main`. */
  readonly assetType?: keyof typeof ASSET_TYPE_CODES
  /** From 1, default 1. */
  readonly page?: number
  /** 1 to 200, default 200. */
  readonly limit?: number
  /** Language of the exchange's texts, such as `en_US`. */
  readonly language?: string
}

/** One page of transactions, oldest first; `count` is the number on all pages, if the exchange gives it. */
interface FuturesTransactionPage {
  readonly transactions: readonly FuturesTransaction[]
  readonly count: number | undefined
}

/** Futures account and its settings (interface sections 4.6 and 4.7), signed. */
export interface FuturesAccountCalls {
  /** Balances by margin coin, each with its positions. */
  account(): Promise<readonly FuturesBalance[]>
  /**
   * Changes of the balance of a margin coin; one page. Parameters and answer as sibling hosts publish them.
   */
  transactions(query: FuturesTransactionQuery): Promise<FuturesTransactionPage>
  /**
   * Sets a contract to one net position, or to a long and a short one. This and the other settings throw
   * `UnknownOutcomeError` if the change may still have been made: read `account` then.
   */
  setPositionModel(setting: {
    readonly contractName: string
    readonly positionModel: keyof typeof POSITION_MODEL_CODES
  }): Promise<void>
  /** Sets the positions of a contract to cross or isolated margin. */
  setMarginModel(setting: {
    readonly contractName: string
    readonly marginModel: PositionType
  }): Promise<void>
  /** Adds margin to a position, in the margin coin; a negative amount removes some. */
  adjustPositionMargin(adjustment: {
    readonly positionId: string
    readonly amount: ExactNumber
  }): Promise<void>
  /** `leverage`: a whole number within the bounds of the contract. */
  setLeverage(setting: { readonly contractName: string; readonly leverage: number }): Promise<void>
}

/** Account methods over `call`. */
export function futuresAccountCalls(call: EndpointCall): FuturesAccountCalls {
  return {
    account: () => call(ENDPOINTS.futuresAccount, {}),
    transactions: async query => {
      const page = await call(ENDPOINTS.futuresTransactions, transactionFields(query))
      return { ...page, transactions: oldestFirst(page.transactions, ({ time, id }) => ({ time, id })) }
    },
    setPositionModel: async ({ contractName, positionModel }) => {
      const fields = { contractName: contractName.toUpperCase() }
      await call(ENDPOINTS.futuresEditPositionModel, {
        ...fields,
        positionModel: POSITION_MODEL_CODES[positionModel],
      })
    },
    setMarginModel: async ({ contractName, marginModel }) => {
      const fields = { contractName: contractName.toUpperCase() }
      await call(ENDPOINTS.futuresEditMarginModel, {
        ...fields,
        marginModel: POSITION_TYPE_CODES[marginModel],
      })
    },
    adjustPositionMargin: async adjustment => {
      await call(ENDPOINTS.futuresEditPositionMargin, adjustment)
    },
    setLeverage: async ({ contractName, leverage }) => {
      await call(ENDPOINTS.futuresEditLever, { contractName: contractName.toUpperCase(), nowLevel: leverage })
    },
  }
}

function transactionFields(query: FuturesTransactionQuery) {
  const { marginCoin, startTime, endTime, type, assetType, page, limit, language } = query
  return {
    beginTime: startTime,
    endTime,
    symbol: marginCoin,
    page,
    limit,
    assetType: codeOf(ASSET_TYPE_CODES, assetType),
    langKey: language,
    type: codeOf(TRANSACTION_TYPE_CODES, type),
  }
}
