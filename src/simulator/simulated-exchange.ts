import type { QueueAssumption } from '../matching/queue-assumption.ts'
import { type ExchangeCore, USUAL_CONDITIONS } from './exchange-core.ts'
import { FuturesExchange } from './futures/futures-exchange.ts'
import type { LiveRules } from './live/live-rules.ts'
import { LiveState } from './live/live-state.ts'
import { strides } from './markets/strides.ts'
import { ApiError } from './protocol/api-error.ts'
import { answersPath } from './protocol/exchange-host.ts'
import type { JsonValue } from './protocol/json-text.ts'
import { jsonText } from './protocol/json-text.ts'
import { refusal } from './protocol/refusal.ts'
import { splitTarget } from './protocol/request-authentication.ts'
import type { ExchangeKeeper } from './saved/exchange-keeper.ts'
import { RequestPipeline } from './server/request-pipeline.ts'
import { routeOf } from './server/routes.ts'
import type { SimulatorConfig, SimulatorConfigInput } from './simulator-config.ts'
import { ReplayableExchange } from './snapshot/replayable-exchange.ts'
import { SpotExchange } from './spot-exchange.ts'
import type { FuturesWallet } from './transfer/futures-wallet.ts'
import { Transfers } from './transfer/transfers.ts'
import { Withdrawals } from './withdrawal/withdrawals.ts'

/** The simulated exchange: no sockets, no clock, no randomness but its seed. */
export type SimulatedExchange = ReplayableExchange

/** Answer of live gateways to an unknown path. */
const UNKNOWN_PATH: JsonValue = { code: '-1002', data: null, msg: 'UNAUTHORIZED', msgData: null, succ: false }

/**
 * A new exchange, which opens at its first time; or, with a keeper that has stored one of the same
 * configuration, that one. Throws `UsageError` for an invalid configuration, and for a stored exchange that
 * cannot be resumed. `queue` is the place of a resting order on markets of the type live, among the quantity
 * that is shown at its price.
 */
export function createSimulatedExchange(
  input: SimulatorConfigInput = {},
  keeper?: ExchangeKeeper,
  queue: QueueAssumption = 'shown',
): SimulatedExchange {
  return new ReplayableExchange(input, config => createExchangeCore(config, queue), keeper)
}

function createExchangeCore(config: SimulatorConfig, queue: QueueAssumption): ExchangeCore {
  const live = new LiveState(queue, config.seed)
  const state = new SpotExchange(config, live)
  const futures = futuresBeside(state, config, live)
  const { seed, keptRecords } = config
  const transfers = new Transfers(walletOf(futures), { settings: config.transfers, seed, keptRecords })
  const withdrawals = new Withdrawals(config.withdrawals, {
    fees: state.fees,
    keptRecords: config.keptRecords,
  })
  const pipeline = new RequestPipeline(config, { exchange: state, futures, transfers, withdrawals })
  const advance = (to: number) => {
    for (const time of strides(state.now, to, () => transfers.nextAt)) {
      state.advance(time)
      futures.advance(time)
      transfers.advance(time)
      withdrawals.advance(time)
    }
  }
  return {
    state,
    futures,
    transfers,
    withdrawals,
    advance,
    live,
    observe(observation) {
      const { symbol } = observation
      const [side, isEngaged] = symbol.includes('/')
        ? [state, () => state.isEngaged(state.marketOf(symbol))]
        : [futures, () => futures.isEngaged(symbol)]
      const wasEngaged = isEngaged()
      side.observe(observation)
      // One that cannot be used was no input.
      live.measure(observation)
      return wasEngaged || isEngaged()
    },
    get nextPrintAt() {
      return earlier(state.nextPrintAt, futures.nextEventAt)
    },
    handle(request, now, conditions = USUAL_CONDITIONS) {
      advance(now)
      const { path } = splitTarget(request.target)
      const isHere = request.host === undefined || answersPath(request.host, path)
      const route = isHere ? routeOf(request.method, path) : undefined
      state.delays = conditions
      futures.orders.delays = conditions
      try {
        if (route !== undefined)
          return { status: 200, body: jsonText(pipeline.answer(request, route, conditions)) }
        pipeline.admitStray(request)
        return { status: 404, body: jsonText(UNKNOWN_PATH) }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return refusal(error, path, config.httpOkOnErrors)
      } finally {
        state.delays = USUAL_CONDITIONS
        futures.orders.delays = USUAL_CONDITIONS
      }
    },
  }
}

/** The futures exchange of the same users; its contracts may follow the spot pairs. */
function futuresBeside(spot: SpotExchange, config: SimulatorConfig, live: LiveRules): FuturesExchange {
  const futures = new FuturesExchange({
    settings: config.futures,
    uniqueClientOrderIds: config.uniqueClientOrderIds,
    accounts: spot.users.map(({ account }, index) => ({
      uid: account.uid,
      mayTrade: config.accounts[index]?.mayTrade ?? true,
      balances: config.accounts[index]?.futuresBalances ?? {},
    })),
    seed: config.seed,
    plan: config.liquidity,
    spot: config.listings,
    live,
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
