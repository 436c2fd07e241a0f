import type { InstrumentRules, RulesBySymbol } from '../../../src/config/instrument-rules.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'

/** What a person writes into the configuration of a bot whose exchange does not list it; nothing where the exchange lists everything. */
export function toldRules({ dialect, state, futures }: SimulatedExchange): RulesBySymbol {
  const { spotSymbols, futuresContracts } = dialect.answers ?? {}
  const pairs = state.markets.flatMap(({ instrument }): [string, InstrumentRules][] => {
    const { minNotional, fees } = instrument
    const rules = { minNotional, makerFeeRate: fees.maker, takerFeeRate: fees.taker }
    return [
      [instrument.symbol, rules],
      [`${instrument.symbol}@margin`, rules],
    ]
  })
  const contracts = futures.contracts.map(({ contract }): [string, InstrumentRules] => {
    const { maker, taker } = contract.fees.open
    return [contract.name, { makerFeeRate: maker, takerFeeRate: taker }]
  })
  return Object.fromEntries([
    ...(spotSymbols?.without === undefined ? [] : pairs),
    ...(futuresContracts?.without === undefined ? [] : contracts),
  ])
}
