import { onTestFinished } from 'vitest'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type Answer, flatMarket, replayOf, START, signedHeaders } from '../exchange-caller.ts'
import { ROUND_CONTRACT } from '../futures/futures-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from '../server/raw-http.ts'

/** One BTC/USDT market at 100, and its contract of 0.1 BTC: 10 USDT a piece. */
export function dialectConfig(dialect: DialectName, more: SimulatorConfigInput = {}): SimulatorConfigInput {
  return replayOf(flatMarket(100, 90), {
    dialect,
    accounts: [
      { ...TEST_ACCOUNT, balances: { USDT: '10000', BTC: '10' }, futuresBalances: { USDT: '1000' } },
    ],
    futures: { contracts: [ROUND_CONTRACT], leverage: 10 },
    ...more,
  })
}

interface Told extends Answer {
  /** Content type. */
  readonly type: string
}

/** The part of a target that is signed. */
type Signs = (target: string) => string

/** A host of a dialect on a loopback port, called with bytes. */
export class DialectHost {
  readonly clock: HandClock
  readonly #url: string
  readonly #signs: Signs

  private constructor(url: string, clock: HandClock, signs: Signs) {
    this.#url = url
    this.clock = clock
    this.#signs = signs
  }

  static async open(
    dialect: DialectName,
    { signs = target => target, ...more }: SimulatorConfigInput & { readonly signs?: Signs } = {},
  ): Promise<DialectHost> {
    const exchange = createSimulatedExchange(dialectConfig(dialect, more))
    const clock = new HandClock(START)
    const server = await startExchangeServer({ exchange, clock, admin: false })
    onTestFinished(() => server.close())
    return new DialectHost(server.url, clock, signs)
  }

  get(target: string): Promise<Told> {
    return this.#call('GET', target, '')
  }

  post(target: string, fields: object, headers: Record<string, string> = {}): Promise<Told> {
    return this.#call('POST', target, JSON.stringify(fields), headers)
  }

  async #call(
    method: string,
    target: string,
    body: string,
    more: Record<string, string> = {},
  ): Promise<Told> {
    const time = this.clock.now()
    const signed = signedHeaders(TEST_ACCOUNT, { method, target: this.#signs(target), body, time })
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const {
      status = 0,
      text,
      type,
    } = await send(this.#url, method, target, { ...signed, ...length, ...more }, body)
    return { status, text, type, json: type.startsWith('application/json') ? JSON.parse(text) : undefined }
  }
}

/** The header of the document's orders. */
export const VERSIONED = { 'futures-version': '101' }

/** An order on the contract by any name. */
export function contractOrder(fields: object): object {
  return { contractName: 'E-BTC-USDT', side: 'BUY', open: 'OPEN', type: 'MARKET', volume: 2, ...fields }
}
