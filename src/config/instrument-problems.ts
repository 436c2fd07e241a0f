import type { z } from 'zod'
import { suggestion } from '../domain/nearest-name.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { accountsOf, type GivenAccounts } from './account-fields.ts'
import { configuredMarkets, type MarketOf } from './configured-market.ts'
import { requireNoContractRules, requireWholeContracts } from './contract-from.ts'
import type { InstrumentRules, RulesBySymbol } from './instrument-rules.ts'
import { maintenanceTiersOf } from './maintenance.ts'

interface Config extends GivenAccounts {
  readonly strategies: readonly {
    readonly symbol: string
    readonly markets?: Readonly<Record<string, { readonly symbol: string }>> | undefined
  }[]
  readonly instruments: RulesBySymbol
}

/** Reports rules that contradict themselves, or that are of no instrument that is traded. */
export function instrumentProblems(config: Config, context: z.RefinementCtx): void {
  const symbols = tradedSymbols(config)
  const marketOf = configuredMarkets(accountsOf(config))
  for (const [symbol, rules = {}] of Object.entries(config.instruments)) {
    const refuse = (message: string) =>
      context.addIssue({ code: 'custom', path: ['instruments', symbol], message, params: { sentence: true } })
    if (symbol !== 'default' && !symbols.includes(symbol)) {
      refuse(`is of no instrument that a strategy trades.${suggestion(symbol, ['default', ...symbols])}`)
      continue
    }
    try {
      checkRules(symbol, rules, marketOf)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      refuse(`cannot be used. ${error.message}`)
    }
  }
}

function tradedSymbols({ strategies }: Config): readonly string[] {
  return strategies.flatMap(({ symbol, markets = {} }) => [
    symbol,
    ...Object.values(markets).map(market => market.symbol),
  ])
}

/** Rules by default count for pairs and contracts, each as far as they have them. */
function checkRules(symbol: string, rules: InstrumentRules, marketOf: MarketOf): void {
  maintenanceTiersOf(rules)
  const { minLeverage = 1, maxLeverage = minLeverage } = rules
  if (minLeverage > maxLeverage)
    throw new UsageError(`Its minLeverage of ${minLeverage} is above its maxLeverage of ${maxLeverage}.`)
  if (symbol === 'default') return
  const { account } = marketOf(symbol)
  if (account === 'futures') requireWholeContracts(rules)
  else requireNoContractRules(rules, account)
}
