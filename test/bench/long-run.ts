import { createHmac } from 'node:crypto'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { matchingLoad } from './matching-load.ts'

/** What is in the heap at a moment of a long run. */
export interface HeapSample {
  readonly orders: number
  readonly heapMegabytes: number
  readonly ordersPerSecond: number
}

const LOAD = 200_000
const SAMPLES = 10

/** Signs and places or cancels that many orders on one exchange, and weighs the heap ten times; needs --expose-gc. */
export function longRun(orders: number, report: (sample: HeapSample) => void): void {
  const exchange = createSimulatedExchange({
    listings: [
      {
        symbol: 'BTC/USDT',
        makerFeeRate: 0,
        takerFeeRate: 0,
        market: { type: 'generated', historyKlines: 10 },
      },
    ],
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '1e15', BTC: '1e12' } }],
    limits: { areEnforced: false },
    maxOpenOrders: 100_000,
  })
  const load = matchingLoad(LOAD, 3)
  const startTime = Date.UTC(2026, 0, 1)
  let [startedAt, placed] = [performance.now(), 0]
  for (let index = 0; index < orders; index++) {
    const step = load[index % LOAD]
    if (step === undefined) continue
    // A thousand orders a second of the exchange's time.
    const time = startTime + Math.floor(index / 1000) * 1000
    if (index % LOAD === 0) {
      placed = 0
      cancelAll(exchange)
    }
    const number = step.type === 'place' ? placed++ : step.placed
    const id = `${Math.floor(index / LOAD)}-${number}`
    const fields =
      step.type === 'place'
        ? {
            side: step.side,
            type: 'LIMIT',
            volume: step.quantity / 1e5,
            price: step.price / 100,
            newClientOrderId: id,
          }
        : { newClientOrderId: id }
    call(exchange, step.type === 'place' ? '/sapi/v2/order' : '/sapi/v2/cancel', fields, time)
    if ((index + 1) % (orders / SAMPLES) > 0) continue
    const ordersPerSecond = orders / SAMPLES / ((performance.now() - startedAt) / 1000)
    report({ orders: index + 1, heapMegabytes: heapMegabytes(), ordersPerSecond })
    startedAt = performance.now()
  }
}

function call(
  exchange: ReturnType<typeof createSimulatedExchange>,
  target: string,
  fields: object,
  time: number,
): void {
  const body = JSON.stringify({ symbol: 'BTC/USDT', ...fields })
  const { apiKey, apiSecret } = TEST_ACCOUNT
  const headers = {
    'x-ch-apikey': apiKey,
    'x-ch-ts': String(time),
    'x-ch-sign': createHmac('sha256', apiSecret).update(`${time}POST${target}${body}`).digest('hex'),
    'content-type': 'application/json',
  }
  exchange.handle({ method: 'POST', target, headers, body }, time)
}

/** What nobody traded with would pile up with every round. */
function cancelAll({ state }: ReturnType<typeof createSimulatedExchange>): void {
  for (const order of state.users[0]?.history.openOrders ?? []) state.cancel(order)
}

function heapMegabytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}
