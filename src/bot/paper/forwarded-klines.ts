import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { ExchangeError } from '../../exchange/errors/exchange-error.ts'
import { FUTURES_INTERVALS } from '../../exchange/futures/futures-interval.ts'
import type { PublicClient } from '../../exchange/public-client.ts'
import { SPOT_INTERVALS } from '../../exchange/spot/spot-interval.ts'
import type { ExchangeResponse } from '../../simulator/protocol/exchange-response.ts'
import type { ExchangeRequest } from '../../simulator/protocol/request-authentication.ts'
import { unreadText } from './unread-text.ts'

const SPOT_KLINES = /^\/sapi\/v\d\/klines$/
const FUTURES_KLINES = /^\/fapi\/v\d\/klines$/

/**
 * Answers requests for klines with those of the host, because what was observed since the start makes no
 * history; `undefined` for any other request. A host that does not answer is told as a busy gateway with the reason, so
 * that the bot asks again.
 */
export function forwardedKlines({ spot, futures }: PublicClient) {
  return ({ method, target }: ExchangeRequest): Promise<ExchangeResponse> | undefined => {
    const { pathname, searchParams } = new URL(target, 'http://localhost')
    if (method !== 'GET') return undefined
    const isSpot = SPOT_KLINES.test(pathname)
    if (!isSpot && !FUTURES_KLINES.test(pathname)) return undefined
    const interval = intervalOf(isSpot ? SPOT_INTERVALS : FUTURES_INTERVALS, searchParams.get('interval'))
    if (interval === undefined) return answered(Promise.resolve([]))
    const query = { interval, ...numbersIn(searchParams) }
    return answered(
      isSpot
        ? spot.klines({ symbol: searchParams.get('symbol') ?? '', ...query })
        : futures.klines({ contractName: searchParams.get('contractName') ?? '', ...query }),
    )
  }
}

function intervalOf(names: Readonly<Record<string, string>>, wanted: string | null): Interval | undefined {
  const found = Object.entries(names).find(([, name]) => name === wanted)
  return found?.[0] as Interval | undefined // the keys of both tables
}

function numbersIn(parameters: URLSearchParams) {
  const numbers = ['limit', 'startTime', 'endTime'].flatMap(name => {
    const value = parameters.get(name)
    return value === null ? [] : [[name, Number(value)] as const]
  })
  return Object.fromEntries(numbers)
}

async function answered(klines: Promise<readonly Kline[]>): Promise<ExchangeResponse> {
  try {
    return { status: 200, body: JSON.stringify((await klines).map(entryOf)) }
  } catch (error) {
    if (!(error instanceof ExchangeError))
      return { status: 503, body: JSON.stringify({ code: -1001, msg: unreadText(error) }) }
    const { exchangeCode = -1001, reason, httpStatus } = error
    return { status: httpStatus, body: JSON.stringify({ code: exchangeCode, msg: reason }) }
  }
}

function entryOf({ openTime, open, high, low, close, volume }: Kline) {
  return { idx: openTime, open, high, low, close, vol: volume }
}
