import { z } from 'zod'
import { serverTimeResponse } from '../clock/server-time.ts'
import { depthResponse } from '../spot/depth.ts'
import { SPOT_INTERVALS } from '../spot/spot-interval.ts'
import { spotSymbolsResponse } from '../spot/spot-symbol.ts'
import { tickersResponse } from '../spot/ticker.ts'
import { tradesResponse } from '../spot/trade.ts'
import { checkWindow } from '../wire/time-window.ts'
import {
  integerField,
  nameParameter,
  symbolListParameter,
  symbolParameter,
  timeField,
} from '../wire/wire-field.ts'
import { klinesResponse } from '../wire/wire-kline.ts'
import { defineEndpoint, type RequestFields } from './endpoint.ts'

const publicRead = { method: 'GET', host: 'spot', security: 'NONE', effect: 'read', section: '4.1' } as const

/** The document gives ping and time no weight; 1 is the least any endpoint has. */
const UNSTATED_WEIGHT = 1

/** Interface section 4.1: spot market data, free access. */
export const SPOT_PUBLIC = {
  spotPing: defineEndpoint({
    ...publicRead,
    key: 'spotPing',
    path: '/sapi/v2/ping',
    weight: UNSTATED_WEIGHT,
    request: z.object({}),
    response: z.object({}).nullable(),
    doc: 'Tests whether the exchange can be reached.',
  }),
  spotTime: defineEndpoint({
    ...publicRead,
    key: 'spotTime',
    path: '/sapi/v2/time',
    weight: UNSTATED_WEIGHT,
    request: z.object({}),
    response: serverTimeResponse,
    doc: "The exchange's clock.",
  }),
  spotSymbols: defineEndpoint({
    ...publicRead,
    key: 'spotSymbols',
    path: '/sapi/v2/symbols',
    weight: 1,
    request: z.object({}),
    response: spotSymbolsResponse,
    doc: 'Every pair with its precisions, limits and fees.',
  }),
  spotDepth: defineEndpoint({
    ...publicRead,
    key: 'spotDepth',
    path: '/sapi/v2/depth',
    weight: 5,
    request: z.object({ symbol: symbolParameter, limit: integerField(1, 100).optional() }),
    response: depthResponse,
    doc: 'Order-book levels, best first.',
  }),
  spotTicker: defineEndpoint({
    ...publicRead,
    key: 'spotTicker',
    path: '/sapi/v2/ticker',
    weight: tickerWeight,
    request: z.object({ symbol: symbolParameter.optional(), symbols: symbolListParameter.optional() }),
    response: tickersResponse,
    doc: '24-hour ticker of one pair, or an array of those of several or all pairs.',
  }),
  spotTrades: defineEndpoint({
    ...publicRead,
    key: 'spotTrades',
    path: '/sapi/v2/trades',
    weight: 5,
    request: z.object({ symbol: symbolParameter, limit: integerField(1, 1000).optional() }),
    response: tradesResponse,
    doc: 'Recent public trades of one pair, newest first.',
  }),
  spotKlines: defineEndpoint({
    ...publicRead,
    key: 'spotKlines',
    path: '/sapi/v2/klines',
    weight: 1,
    request: z
      .object({
        symbol: symbolParameter,
        interval: nameParameter(Object.values(SPOT_INTERVALS)),
        limit: integerField(1, 300).optional(),
        startTime: timeField.optional(),
        endTime: timeField.optional(),
        timezone: z
          .string()
          .regex(/^UTC([+-]\d{1,2})?$/, 'must have the form UTC-09')
          .optional(),
      })
      .check(({ value, issues }) => checkWindow(value, issues)),
    response: klinesResponse,
    doc: 'Klines of one pair, newest first; the newest may still be growing.',
  }),
} as const

/** Interface section 4.1, ticker rules: `symbol` takes precedence, absence costs 80, else by the number of symbols. */
function tickerWeight({ symbol, symbols }: RequestFields): number {
  if (symbol !== undefined) return 5
  if (typeof symbols !== 'string') return 80
  const count = symbols.split(',').length
  if (count <= 20) return 5
  return count <= 100 ? 40 : 80
}
