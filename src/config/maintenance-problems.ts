import type { z } from 'zod'
import { suggestion } from '../domain/nearest-name.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { accountsOf, type GivenAccounts } from './account-fields.ts'
import { configuredMarkets } from './configured-market.ts'
import { type MaintenanceBySymbol, maintenanceTiersOf } from './maintenance.ts'

interface Config extends GivenAccounts {
  readonly strategies: readonly {
    readonly symbol: string
    readonly markets?: Readonly<Record<string, { readonly symbol: string }>> | undefined
  }[]
  readonly instruments: MaintenanceBySymbol
}

/** Reports rules of maintenance that contradict themselves, or that are of no contract that is traded. */
export function maintenanceProblems(config: Config, context: z.RefinementCtx): void {
  const contracts = contractsOf(config)
  for (const [symbol, rules] of Object.entries(config.instruments)) {
    const refuse = (message: string) =>
      context.addIssue({ code: 'custom', path: ['instruments', symbol], message, params: { sentence: true } })
    if (symbol !== 'default' && !contracts.includes(symbol))
      refuse(`is of no contract that a strategy trades.${suggestion(symbol, ['default', ...contracts])}`)
    try {
      maintenanceTiersOf(rules ?? {})
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      refuse(`cannot be used. ${error.message}`)
    }
  }
}

function contractsOf({ strategies, ...accounts }: Config): readonly string[] {
  const given = accountsOf(accounts)
  if (given.futures === undefined) return []
  const marketOf = configuredMarkets(given)
  return strategies
    .flatMap(({ symbol, markets = {} }) => [symbol, ...Object.values(markets).map(market => market.symbol)])
    .filter(symbol => marketOf(symbol).account === 'futures')
}
