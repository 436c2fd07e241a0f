import { createExchangeClient, type ExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import { OTHERS_PREFIX } from '../invariants.ts'
import type { BotWorld } from './bot-world.ts'
import type { OthersDeed } from './others-deeds.ts'

/** A person who uses the accounts of a bot by hand. */
export class SomebodyElse {
  readonly #world: BotWorld
  readonly #marginMode: 'cross' | 'isolated'
  readonly #tell: (text: string) => void
  readonly #client: ExchangeClient
  #count = 0

  /** `marginMode`: how the contracts of the account are held. */
  constructor(world: BotWorld, marginMode: 'cross' | 'isolated', tell: (text: string) => void) {
    this.#world = world
    this.#marginMode = marginMode
    this.#tell = tell
    this.#client = createExchangeClient({
      ...{ spotUrl: 'http://127.0.0.1', futuresUrl: 'http://127.0.0.1', clock: world.clock },
      ...{ timeOffset: () => 0, random: () => 0.5 },
      apiKey: TEST_ACCOUNT.apiKey,
      apiSecret: TEST_ACCOUNT.apiSecret,
      transport: inProcessTransport(world.exchange, world.clock),
    })
  }

  /** Does something; what the exchange refuses is not done. */
  act(deed: OthersDeed): void {
    const { type, symbol, side, size } = deed
    this.#tell(`somebody else: ${type} ${symbol} ${side} ${size}`)
    const { exchange, clock, user, marketOf } = this.#world
    const { account, name } = marketOf(symbol)
    const [base = '', pair] = pairOf(name)
    const time = clock.now()
    switch (type) {
      case 'deposit': {
        const [asset, wallet] = account === 'spot' ? [base, 'spot' as const] : ['USDT', 'futures' as const]
        exchange.stage({ type: 'deposit', time, uid: user.account.uid, asset, amount: `${size}`, wallet })
        break
      }
      case 'shock':
        exchange.stage({ type: 'shock', time, symbol: pair, price: (90 + size * 20).toFixed(2) })
        break
      default:
        this.#ask(deed).catch(() => this.#tell('somebody else was refused'))
    }
  }

  /** Takes back what rests. */
  async leave(): Promise<void> {
    const { user, exchange } = this.#world
    const refused = () => this.#tell('not canceled')
    for (const [calls, { history }] of [
      [this.#client.spot, user],
      [this.#client.margin, user.margin],
    ] as const)
      for (const { id, clientOrderId, instrument } of history.openOrders) {
        if (!clientOrderId?.startsWith(OTHERS_PREFIX)) continue
        void calls.cancelOrder({ symbol: instrument.symbol, orderId: `${id}` }).catch(refused)
      }
    for (const { id, clientOrderId = OTHERS_PREFIX, contract } of exchange.futures.accounts.flatMap(
      ({ records }) => records.openOrders,
    )) {
      if (!clientOrderId.startsWith(OTHERS_PREFIX)) continue
      void this.#client.futures.cancelOrder({ contractName: contract.name, orderId: `${id}` }).catch(refused)
    }
  }

  async #ask(deed: OthersDeed): Promise<void> {
    await (deed.symbol.includes('/') ? this.#tradePair(deed) : this.#useContracts(deed))
  }

  async #tradePair({ type, symbol, side, size }: OthersDeed): Promise<void> {
    const { account, name } = this.#world.marketOf(symbol)
    const common = { clientOrderId: this.#nextId(), symbol: name, side, quantity: `${size}` }
    const isBuy = side === 'buy'
    const price = type === 'trade' ? (isBuy ? '140' : '70') : isBuy ? '98' : '103'
    if (account === 'margin') await this.#client.margin.placeOrder({ ...common, type: 'limit', price })
    else await this.#client.spot.placeOrder({ ...common, type: type === 'trade' ? 'ioc' : 'limit', price })
  }

  async #useContracts({ type, symbol, side, size }: OthersDeed): Promise<void> {
    const { futures } = this.#client
    const isBuy = side === 'buy'
    const order = {
      ...{ contractName: symbol, side, contracts: `${Math.ceil(size * 5)}`, positionType: this.#marginMode },
      action: type === 'close' ? 'close' : 'open',
    } as const
    const named = { ...order, clientOrderId: this.#nextId() }
    switch (type) {
      case 'order':
        await futures.placeOrder({ ...named, type: 'limit', price: isBuy ? '98' : '103' })
        break
      case 'condition': {
        const condition = isBuy
          ? ({ trigger: 'rise', triggerPrice: '103' } as const)
          : ({ trigger: 'fall', triggerPrice: '97' } as const)
        await futures.placeConditionOrder({ ...order, ...condition, type: 'market' })
        break
      }
      case 'margin': {
        const [position] = this.#world.exchange.futures.accounts.flatMap(account => account.positions())
        if (position !== undefined)
          await futures.adjustPositionMargin({ positionId: `${position.id}`, amount: size.toFixed(3) })
        break
      }
      default:
        await futures.placeOrder({ ...named, type: 'market' })
    }
  }

  #nextId(): string {
    return `${OTHERS_PREFIX}-${++this.#count}`
  }
}

/** Base of a symbol, and the pair itself, or the one that a contract follows. */
function pairOf(symbol: string): readonly [base: string | undefined, pair: string] {
  const pair = symbol.replace(/^E-/, '').replace('-', '/')
  return [pair.split('/')[0], pair]
}
