import { marketPlan } from '../../bot/inputs/market-inputs.ts'
import { subscriptionsOfEntries } from '../../bot/inputs/strategy-subscriptions.ts'
import { accountsOf } from '../../config/account-fields.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import { profileOf } from '../../config/profiles/profile-field.ts'
import type { CommandOutput } from '../streams.ts'
import { planText } from './plan-table.ts'

/** Options of `start --plan`. */
export interface PlanOptions {
  /** Path of the bot's configuration; its secrets are not needed. */
  readonly config: string
  /** Write one JSON object instead of a table. */
  readonly json: boolean
}

/**
 * Writes the poll plan of a bot; rejects with `UsageError` for a configuration that does not fit into the
 * budget, and for unusable strategies. Sends nothing.
 */
export async function runPlan({ config, json }: PlanOptions, out: CommandOutput): Promise<void> {
  const parsed = configOfBot(config)
  const plan = marketPlan(
    await subscriptionsOfEntries(parsed.strategies),
    parsed.polling,
    configuredMarkets(accountsOf(parsed)),
    { profile: profileOf(parsed.venue) },
  )
  out.write(json ? `${JSON.stringify(plan)}\n` : planText(plan))
}
