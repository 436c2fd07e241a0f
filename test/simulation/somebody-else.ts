import { createExchangeClient, type ExchangeClient } from '../../src/exchange/exchange-client.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import type { BotWorld } from './bot-world.ts'
import { OTHERS_PREFIX } from './invariants.ts'
import type { OthersDeed } from './seed-plan.ts'

/** A person who uses the account of a bot by hand. */
export class SomebodyElse {
  readonly #world: BotWorld
  readonly #tell: (text: string) => void
  readonly #client: ExchangeClient
  #count = 0

  constructor(world: BotWorld, tell: (text: string) => void) {
    this.#world = world
    this.#tell = tell
    this.#client = createExchangeClient({
      ...{ spotUrl: 'http://127.0.0.1', clock: world.clock, timeOffset: () => 0, random: () => 0.5 },
      apiKey: TEST_ACCOUNT.apiKey,
      apiSecret: TEST_ACCOUNT.apiSecret,
      transport: inProcessTransport(world.exchange, world.clock),
    })
  }

  /** Does something; what the exchange refuses is not done. */
  act(deed: OthersDeed): void {
    const { type, symbol, side, size } = deed
    this.#tell(`somebody else: ${type} ${symbol} ${side} ${size}`)
    const { exchange, clock, user } = this.#world
    const [base = ''] = symbol.split('/')
    const time = clock.now()
    switch (type) {
      case 'deposit':
        exchange.stage({
          type: 'deposit',
          time,
          uid: user.account.uid,
          asset: base,
          amount: `${size}`,
          wallet: 'spot',
        })
        break
      case 'shock':
        exchange.stage({ type: 'shock', time, symbol, price: (95 + size * 10).toFixed(2) })
        break
      case 'trade':
      case 'order':
        this.#place(deed).catch(() => this.#tell('somebody else was refused'))
    }
  }

  /** Takes back what rests. */
  async leave(): Promise<void> {
    for (const order of this.#world.user.history.openOrders) {
      if (!order.clientOrderId?.startsWith(OTHERS_PREFIX)) continue
      const { symbol } = order.instrument
      void this.#client.spot
        .cancelOrder({ symbol, orderId: `${order.id}` })
        .catch(() => this.#tell('not canceled'))
    }
  }

  async #place({ type, symbol, side, size }: OthersDeed): Promise<void> {
    const clientOrderId = `${OTHERS_PREFIX}-${++this.#count}`
    const common = { clientOrderId, symbol, side, quantity: `${size}` }
    const isBuy = side === 'buy'
    const price = type === 'trade' ? (isBuy ? '140' : '70') : isBuy ? '98' : '103'
    await this.#client.spot.placeOrder({ ...common, type: type === 'trade' ? 'ioc' : 'limit', price })
  }
}
