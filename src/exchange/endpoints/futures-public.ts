import { z } from 'zod'
import { serverTimeResponse } from '../clock/server-time.ts'
import { contractsResponse } from '../futures/contract.ts'
import { FUTURES_INTERVALS } from '../futures/futures-interval.ts'
import { futuresTickerResponse, futuresTickersResponse } from '../futures/futures-ticker.ts'
import { indexPriceResponse } from '../futures/index-price.ts'
import { depthResponse } from '../spot/depth.ts'
import { checkWindow } from '../wire/time-window.ts'
import { contractNameParameter, integerField, nameParameter, timeField } from '../wire/wire-field.ts'
import { klinesResponse } from '../wire/wire-kline.ts'
import { defineEndpoint } from './endpoint.ts'

/** The document gives no futures endpoint a weight; 1 is the least any endpoint has. */
const publicRead = {
  method: 'GET',
  host: 'futures',
  security: 'NONE',
  effect: 'read',
  weight: 1,
  section: '4.5',
} as const

/** Interface section 4.5: futures market data, free access. */
export const FUTURES_PUBLIC = {
  futuresPing: defineEndpoint({
    ...publicRead,
    key: 'futuresPing',
    path: '/fapi/v1/ping',
    request: z.object({}),
    response: z.object({}).nullable(),
    doc: 'Tests whether the exchange can be reached.',
  }),
  futuresTime: defineEndpoint({
    ...publicRead,
    key: 'futuresTime',
    path: '/fapi/v1/time',
    request: z.object({}),
    response: serverTimeResponse,
    doc: "The exchange's clock.",
  }),
  futuresContracts: defineEndpoint({
    ...publicRead,
    key: 'futuresContracts',
    path: '/fapi/v1/contracts',
    request: z.object({}),
    response: contractsResponse,
    doc: 'Every contract with its multiplier, limits, leverage and fees.',
  }),
  futuresDepth: defineEndpoint({
    ...publicRead,
    key: 'futuresDepth',
    path: '/fapi/v1/depth',
    request: z.object({ contractName: contractNameParameter, limit: integerField(1, 100).optional() }),
    response: depthResponse,
    doc: 'Order-book levels in contracts, best first.',
  }),
  futuresTicker: defineEndpoint({
    ...publicRead,
    key: 'futuresTicker',
    path: '/fapi/v1/ticker',
    request: z.object({ contractName: contractNameParameter }),
    response: futuresTickerResponse,
    doc: '24-hour ticker of one contract.',
  }),
  futuresTickerAll: defineEndpoint({
    ...publicRead,
    key: 'futuresTickerAll',
    path: '/fapi/v1/ticker_all',
    request: z.object({}),
    response: futuresTickersResponse,
    doc: '24-hour tickers of all contracts, by contract code.',
  }),
  futuresIndex: defineEndpoint({
    ...publicRead,
    key: 'futuresIndex',
    path: '/fapi/v1/index',
    request: z.object({ contractName: contractNameParameter, limit: integerField(1, 100).optional() }),
    response: indexPriceResponse,
    doc: 'Index price, mark price and funding rate of one contract.',
  }),
  futuresKlines: defineEndpoint({
    ...publicRead,
    key: 'futuresKlines',
    path: '/fapi/v1/klines',
    request: z
      .object({
        contractName: contractNameParameter,
        interval: nameParameter(Object.values(FUTURES_INTERVALS)),
        limit: integerField(1, 300).optional(),
        // The interface document lacks these times, but sibling hosts accept them.
        startTime: timeField.optional(),
        endTime: timeField.optional(),
      })
      .check(({ value, issues }) => checkWindow(value, issues)),
    response: klinesResponse,
    doc: 'Klines of one contract, newest first; the newest may still be growing.',
  }),
} as const
