import { parse, stringify } from 'devalue'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { SampledLatencyState } from '../../matching/sampled-latency.ts'
import type { ExchangeCore } from '../exchange-core.ts'
import type { FuturesState } from '../futures/futures-exchange.ts'
import type { SpotState } from '../spot-state.ts'
import type { TransfersState } from '../transfer/transfers.ts'
import type { WithdrawalsState } from '../withdrawal/withdrawals.ts'

/** Everything of an exchange that changes, but its limits and faults. */
interface CoreState {
  readonly spot: SpotState
  readonly futures: FuturesState
  readonly transfers: TransfersState
  readonly withdrawals: WithdrawalsState
  /** Of markets that are only observed. */
  readonly live?: SampledLatencyState
}

/**
 * The state of an exchange as text, to be restored into another one of the same configuration; `undefined`
 * before it opens, and while delayed actions are pending. An order referenced in several places stays one
 * object; accounts, instruments and contracts are referenced by name.
 */
export function coreStateText({
  state,
  futures,
  transfers,
  withdrawals,
  live,
}: ExchangeCore): string | undefined {
  const [spotState, futuresState] = [state.dump(), futures.dump()]
  if (spotState === undefined || futuresState === undefined) return undefined
  const names = new Map(
    namedParts({ state, futures, transfers, withdrawals }).map(([name, part]) => [part, name]),
  )
  const whole: CoreState = {
    spot: spotState,
    futures: futuresState,
    transfers: transfers.dump(),
    withdrawals: withdrawals.dump(),
    live: live.dump(),
  }
  return stringify(whole, { [NAMED]: part => (isObject(part) ? names.get(part) : undefined) })
}

/** Restores the text of another exchange's state into one that has not opened. */
export function restoreCore(core: ExchangeCore, text: string): void {
  const parts = new Map(namedParts(core))
  const whole: CoreState = parse(text, {
    [NAMED]: (name: string) => {
      const part = parts.get(name)
      if (part !== undefined) return part
      throw new InvariantError(`The saved exchange has the part "${name}", which this one has not.`)
    },
  })
  core.state.restore(whole.spot)
  core.futures.restore(whole.futures)
  core.transfers.restore(whole.transfers)
  core.withdrawals.restore(whole.withdrawals)
  if (whole.live !== undefined) core.live.restore(whole.live)
  passOnHistory(core, whole.futures)
}

const NAMED = 'Named'

type Parts = Pick<ExchangeCore, 'state' | 'futures' | 'transfers' | 'withdrawals'>

/** Named objects that the state references instead of containing. */
function namedParts({
  state,
  futures,
  transfers,
  withdrawals,
}: Parts): readonly (readonly [string, object])[] {
  return [
    ...state.names,
    ...futures.names,
    ['account transit', transfers.transit],
    ['account outside', withdrawals.outside],
  ]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A contract that is listed since gets the prints of its pair that are still known. */
function passOnHistory({ state, futures }: ExchangeCore, { contracts }: FuturesState): void {
  for (const listed of futures.contracts) {
    const { contract, follows } = listed
    if (follows === undefined || contracts.has(contract.name)) continue
    const pair = state.markets.find(({ instrument }) => instrument.symbol === follows.symbol)
    for (const print of pair?.tape.oldestFirst() ?? []) listed.passOn(follows, print)
  }
}
