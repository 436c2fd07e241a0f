import { ApiError } from './api-error.ts'
import { CallDesk } from './call-desk.ts'
import { type ExchangeCore, USUAL_CONDITIONS } from './exchange-core.ts'
import { FuturesExchange } from './futures/futures-exchange.ts'
import { isFuturesPath } from './futures/futures-handlers.ts'
import type { JsonValue } from './json-text.ts'
import { jsonText } from './json-text.ts'
import { splitTarget } from './request-authentication.ts'
import { routeOf } from './routes.ts'
import type { SimulatorConfig, SimulatorConfigInput } from './simulator-config.ts'
import { ReplayableExchange } from './snapshot/replayable-exchange.ts'
import { SpotExchange } from './spot-exchange.ts'
import { strides } from './strides.ts'
import type { FuturesWallet } from './transfer/futures-wallet.ts'
import { Transfers } from './transfer/transfers.ts'
import { Withdrawals } from './withdrawal/withdrawals.ts'

/** The simulated exchange: no sockets, no clock, no randomness but its seed. */
export type SimulatedExchange = ReplayableExchange

/** A gateway refuses these before anyone thinks of the body. */
const LIMIT_STATUSES: ReadonlySet<number> = new Set([410, 418, 429])
/** Endpoints of the spot host that answer in an envelope, whose code is text (interface sections 4.3 and 7.3). */
const ENVELOPED = /^\/sapi\/v1\/(asset|withdraw)\//

/** What live gateways answer for a path they do not know. */
const UNKNOWN_PATH: JsonValue = { code: '-1002', data: null, msg: 'UNAUTHORIZED', msgData: null, succ: false }

/** A new exchange; it opens at the first time it hears of. Throws `UsageError` for a configuration that cannot be used. */
export function createSimulatedExchange(input: SimulatorConfigInput = {}): SimulatedExchange {
  return new ReplayableExchange(input, createExchangeCore)
}

function createExchangeCore(config: SimulatorConfig): ExchangeCore {
  const state = new SpotExchange(config)
  const futures = futuresBeside(state, config)
  const transfers = new Transfers(walletOf(futures), config)
  const withdrawals = new Withdrawals(config.withdrawals, {
    fees: state.fees,
    keptRecords: config.keptRecords,
  })
  const desk = new CallDesk(config, { exchange: state, futures, transfers, withdrawals })
  const advance = (to: number) => {
    for (const time of strides(state.now, to)) {
      state.advance(time)
      futures.advance(time)
      withdrawals.advance(time)
    }
  }
  return {
    state,
    futures,
    withdrawals,
    advance,
    get nextPrintAt() {
      return earlier(state.nextPrintAt, futures.nextEventAt)
    },
    handle(request, now, conditions = USUAL_CONDITIONS) {
      advance(now)
      const { path } = splitTarget(request.target)
      const route = routeOf(request.method, path)
      state.delays = conditions
      try {
        if (route !== undefined)
          return { status: 200, body: jsonText(desk.answer(request, route, conditions)) }
        desk.admitStray(request)
        return { status: 404, body: jsonText(UNKNOWN_PATH) }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const status = config.httpOkOnErrors && !LIMIT_STATUSES.has(error.status) ? 200 : error.status
        return { status, body: jsonText(refusal(error, path)) }
      }
    },
  }
}

/** The futures exchange of the same users, whose contracts may follow the spot pairs. */
function futuresBeside(spot: SpotExchange, config: SimulatorConfig): FuturesExchange {
  const futures = new FuturesExchange({
    settings: config.futures,
    accounts: spot.users.map(({ account }, index) => ({
      uid: account.uid,
      balances: config.accounts[index]?.futuresBalances ?? {},
    })),
    seed: config.seed,
    plan: config.liquidity,
    spot: config.listings,
  })
  spot.onPrint = ({ instrument, tape }) => {
    if (tape.newest !== undefined) futures.hear(instrument, tape.newest)
  }
  return futures
}

function earlier(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return Math.min(left, right)
}

/** The futures accounts as the other end of transfers. */
function walletOf(futures: FuturesExchange): FuturesWallet {
  return {
    accepts: coin => futures.contracts.some(({ contract }) => contract.quote === coin),
    transferable: (uid, coin) => futures.availableOf(futures.accountOf(uid), coin),
    deposit: (uid, coin, amount) => futures.deposit(futures.accountOf(uid), coin, amount),
    withdraw: (uid, coin, amount) => futures.withdraw(futures.accountOf(uid), coin, amount),
  }
}

/** As the futures interface does (supplement section 2), envelopes carry their codes as text. */
function refusal({ code, message }: ApiError, path: string): JsonValue {
  return isFuturesPath(path) || ENVELOPED.test(path)
    ? { code: String(code), msg: message, data: null }
    : { code, msg: message }
}
