import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type Answer, replayOf, START, signedHeaders } from '../exchange-caller.ts'

type FuturesInput = NonNullable<SimulatorConfigInput['futures']>
/** What can be configured of a contract. */
export type ContractInput = NonNullable<FuturesInput['contracts']>[number]

/** Keys of the second and the third user. */
export const SECOND = { apiKey: 'second-key', apiSecret: 'second-secret' }
export const THIRD = { apiKey: 'third-key', apiSecret: 'third-secret' }

/** A contract of round numbers: 0.1 BTC, two decimals, 10x, taker 0.1%, maker 0.05%, maintenance 1% (the fee rate comes on top). */
export const ROUND_CONTRACT: ContractInput = {
  symbol: 'E-BTC-USDT',
  multiplier: '0.1',
  pricePrecision: 2,
  maxLever: 100,
  openTakerFee: '0.001',
  openMakerFee: '0.0005',
  closeTakerFee: '0.001',
  closeMakerFee: '0.0005',
  maintenance: [{ keepRate: '0.01' }],
  market: { type: 'spot' },
}

/** One contract that follows a replayed BTC/USDT, 10x; three users with 1000 USDT of margin each. */
export function futuresOf(
  klines: readonly Kline[],
  contract: Partial<ContractInput> = {},
  more: FuturesInput = {},
): SimulatorConfigInput {
  const money = { balances: {}, futuresBalances: { USDT: '1000' } }
  const contracts = [{ ...ROUND_CONTRACT, ...contract }]
  return replayOf(klines, {
    accounts: [
      { ...TEST_ACCOUNT, ...money },
      { ...SECOND, ...money },
      { ...THIRD, ...money },
    ],
    futures: { contracts, leverage: 10, ...more },
  })
}

/** Calls the futures interface in process as one of the users, at a time of its own. */
export class FuturesCaller {
  readonly exchange: SimulatedExchange
  now = START
  readonly #user: { readonly apiKey: string; readonly apiSecret: string }

  constructor(
    exchange: SimulatedExchange,
    user: { readonly apiKey: string; readonly apiSecret: string } = TEST_ACCOUNT,
  ) {
    this.exchange = exchange
    this.#user = user
  }

  static open(config: SimulatorConfigInput): FuturesCaller {
    return new FuturesCaller(createSimulatedExchange(config))
  }

  /** Another user of the same exchange at the same time. */
  as(user: { readonly apiKey: string; readonly apiSecret: string }): FuturesCaller {
    const caller = new FuturesCaller(this.exchange, user)
    caller.now = this.now
    return caller
  }

  /** Lets time pass. */
  pass(ms: number): void {
    this.now += ms
    this.exchange.advance(this.now)
  }

  get(target: string): Answer {
    return this.#call('GET', target, '')
  }

  post(target: string, fields?: object, headers: object = {}): Answer {
    return this.#call('POST', target, fields === undefined ? '' : JSON.stringify(fields), headers)
  }

  /** New order on the contract. */
  order(
    side: string,
    open: string,
    type: string,
    volume: number | string,
    price?: number | string,
    more: object = {},
  ): Answer {
    return this.post('/fapi/v1/order', {
      contractName: 'E-BTC-USDT',
      side,
      open,
      type,
      volume,
      price,
      ...more,
    })
  }

  /** The order that `order` placed, as the order query shows it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  find(placed: Answer): any {
    return this.get(`/fapi/v1/order?contractName=E-BTC-USDT&orderId=${placed.json.orderId}`).json[0]
  }

  /** The USDT entry of the account. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  wallet(): any {
    return this.get('/fapi/v1/account').json.account[0]
  }

  /** Open positions of the first contract that has any. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  positions(): any[] {
    return this.wallet().positionVos[0]?.positions ?? []
  }

  #call(method: string, target: string, body: string, more: object = {}): Answer {
    const signed = signedHeaders(this.#user, { method, target, body, time: this.now })
    const headers = { ...signed, 'futures-version': '101', ...more }
    const { status, body: text } = this.exchange.handle({ method, target, headers, body }, this.now)
    return { status, text, json: JSON.parse(text) }
  }
}
