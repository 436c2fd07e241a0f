import { createHmac } from 'node:crypto'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { inTurns } from './in-turns.ts'
import { NO_LIMITS } from './no-limits.ts'

const [API_KEY, API_SECRET] = ['key', '902ae3cb34ecee2779aa4d3e1d226686']
const [WARM_UP, MEASURED, ROUNDS] = [20_000, 40_000, 9]

/** The documented answer to an order, with an id beyond 2^53 as a number. */
const ANSWER =
  '{"symbol":"LXTUSDT","orderId":150695552109032492,"orderIdString":"150695552109032492","clientOrderId":"157371322565051",' +
  '"transactTime":"1573713225668","price":"0.005452","origQty":"110","executedQty":"0","status":"0","type":"LIMIT","side":"SELL"}'

const { spot } = createExchangeClient({
  spotUrl: 'https://exchange.test',
  apiKey: API_KEY,
  apiSecret: API_SECRET,
  timeOffset: () => 0,
  limits: NO_LIMITS,
  transport: async () => ({ status: 200, body: ANSWER }),
})

const place = {
  sluice: () =>
    spot.placeOrder({
      symbol: 'LXT/USDT',
      side: 'sell',
      type: 'limit',
      price: '0.005452',
      quantity: '110',
      clientOrderId: '157371322565051',
    }),
  bare: async () => {
    const body = JSON.stringify({
      symbol: 'LXT/USDT',
      volume: 110,
      side: 'SELL',
      type: 'LIMIT',
      price: 0.005452,
      newClientOrderId: '157371322565051',
    })
    const timestamp = Date.now()
    createHmac('sha256', API_SECRET).update(`${timestamp}POST/sapi/v2/order${body}`).digest('hex')
    return JSON.parse(await Promise.resolve(ANSWER))
  },
}

async function speed(who: 'sluice' | 'bare', orders: number): Promise<number> {
  const startedAt = performance.now()
  for (let order = 0; order < orders; order++) await place[who]()
  return orders / ((performance.now() - startedAt) / 1000)
}

// A process of its own, started by client-order.ts.
await speed('sluice', WARM_UP)
await speed('bare', WARM_UP)
console.log(JSON.stringify(await inTurns(ROUNDS, who => speed(who, MEASURED))))
