import { createHmac } from 'node:crypto'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type MatchingStep, matchingLoad } from '../exchange/matching-load.ts'

/** What is in the heap at a moment of a long run. */
export interface HeapSample {
  /** Placed and canceled so far. */
  readonly orders: number
  readonly heapMegabytes: number
  /** Since the last sample. */
  readonly ordersPerSecond: number
}

/** How long a run is; it ends with whichever comes first. */
export interface LongRunBounds {
  readonly orders: number
  readonly mostSeconds: number
}

const LOAD = 200_000
const SAMPLES = 20
/** A thousand orders a second of the exchange's time. */
const ORDERS_PER_SECOND = 1000
const START = Date.UTC(2026, 0, 1)

/** Signs and places or cancels orders on one exchange, and weighs the heap twenty times on the way; needs --expose-gc. */
export function* longRun({ orders, mostSeconds }: LongRunBounds): Generator<HeapSample> {
  const exchange = openExchange()
  const load = matchingLoad(LOAD, 3)
  const endsAt = performance.now() + mostSeconds * 1000
  let [startedAt, sampled, placed] = [performance.now(), 0, 0]
  for (let index = 0; index < orders; index++) {
    const step = load[index % LOAD]
    if (step === undefined) continue
    if (index % LOAD === 0) {
      placed = 0
      cancelAll(exchange)
    }
    const number = step.type === 'place' ? placed++ : step.placed
    const time = START + Math.floor(index / ORDERS_PER_SECOND) * 1000
    send(exchange, step, `${Math.floor(index / LOAD)}-${number}`, time)
    const isOver = index % ORDERS_PER_SECOND === 0 && performance.now() > endsAt
    if ((index + 1) % (orders / SAMPLES) > 0 && !isOver) continue
    const ordersPerSecond = (index + 1 - sampled) / ((performance.now() - startedAt) / 1000)
    yield { orders: index + 1, heapMegabytes: heapMegabytes(), ordersPerSecond }
    if (isOver) return
    startedAt = performance.now()
    sampled = index + 1
  }
}

function openExchange(): SimulatedExchange {
  const market = { type: 'generated', historyKlines: 10 } as const
  return createSimulatedExchange({
    listings: [{ symbol: 'BTC/USDT', makerFeeRate: 0, takerFeeRate: 0, market }],
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '1e15', BTC: '1e12' } }],
    limits: { areEnforced: false },
    maxOpenOrders: 100_000,
  })
}

function send(exchange: SimulatedExchange, step: MatchingStep, newClientOrderId: string, time: number): void {
  if (step.type === 'cancel') call(exchange, '/sapi/v2/cancel', { newClientOrderId }, time)
  else {
    const { side, quantity, price } = step
    const order = { side, type: 'LIMIT', volume: quantity / 1e5, price: price / 100, newClientOrderId }
    call(exchange, '/sapi/v2/order', order, time)
  }
}

function call(exchange: SimulatedExchange, target: string, fields: object, time: number): void {
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
function cancelAll({ state }: SimulatedExchange): void {
  for (const order of state.users[0]?.history.openOrders ?? []) state.cancel(order)
}

function heapMegabytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}
