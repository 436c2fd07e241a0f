import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import type { ExchangeResponse } from '../../../src/simulator/protocol/exchange-response.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, replayOf, START, signedHeaders } from '../exchange-caller.ts'

/** Calls an exchange whose market stands at 100, and sees what becomes of the answer on its way. */
export class FaultCaller {
  readonly exchange: SimulatedExchange
  now = START

  constructor(faults: readonly FaultRuleInput[], more: SimulatorConfigInput = {}) {
    this.exchange = createSimulatedExchange(
      replayOf(flatMarket(100, 60), { faults: [...faults], liquidity: { spreadTicks: 10 }, ...more }),
    )
  }

  get(target: string, time = this.now): ExchangeResponse {
    return this.send('GET', target, '', time)
  }

  post(target: string, fields: object): ExchangeResponse {
    return this.send('POST', target, JSON.stringify(fields), this.now)
  }

  /** A limit order for 1 BTC. */
  buy(price: string, newClientOrderId = 'a'): ExchangeResponse {
    const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price, newClientOrderId }
    return this.post('/sapi/v2/order', order)
  }

  cancel(newClientOrderId = 'a'): ExchangeResponse {
    return this.post('/sapi/v2/cancel', { symbol: 'BTC/USDT', newClientOrderId })
  }

  /** Status of an order; the error code where there is none. */
  statusOf(newClientOrderId = 'a'): string | number {
    const target = `/sapi/v2/order?symbol=BTC/USDT&newClientorderId=${newClientOrderId}`
    const answer = JSON.parse(this.get(target).body)
    return answer.status ?? answer.code
  }

  /** What is really open, whatever the exchange says. */
  get openCount(): number {
    return this.exchange.state.users[0]?.history.openCount ?? 0
  }

  send(method: string, target: string, body: string, time: number, hasArrived = false): ExchangeResponse {
    const headers = signedHeaders(TEST_ACCOUNT, { method, target, body, time })
    return this.exchange.handle({ method, target, headers, body }, this.now, hasArrived)
  }
}
