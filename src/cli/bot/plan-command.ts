import { slowFeeds, withFollowedLevels } from '../../bot/inputs/followed-levels.ts'
import { marketPlan } from '../../bot/inputs/market-inputs.ts'
import { subscriptionsOfEntries } from '../../bot/inputs/strategy-subscriptions.ts'
import { paperMarkets, paperPlan, unjudged } from '../../bot/paper/paper-market.ts'
import { accountsOf } from '../../config/account-fields.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import { profileOf } from '../../config/profiles/profile-field.ts'
import { takeSecrets, variablesIn } from '../../config/secret-variables.ts'
import type { CommandOutput } from '../streams.ts'
import { paperPlanText, planText } from './plan-table.ts'

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
  const given = configOfBot(config)
  // Also those of other names than the ones that are taken wherever a strategy is loaded.
  takeSecrets(process.env, variablesIn(given))
  const followed = await subscriptionsOfEntries(given.strategies)
  const parsed = withFollowedLevels(given, followed)
  const { strategies, polling, venue } = parsed
  const accounts = accountsOf(parsed)
  const profile = profileOf(venue)
  const plan = marketPlan(followed, polling, configuredMarkets(accounts), { profile })
  const host =
    venue.type === 'paper'
      ? paperPlan(paperMarkets(strategies, accounts), venue, polling.weightPerMinute)
      : undefined
  const limits =
    host === undefined
      ? []
      : [...unjudged(paperMarkets(strategies, accounts), profile), ...slowFeeds(parsed, followed)]
  if (json) out.write(`${JSON.stringify({ ...plan, ...(host && { host: { ...host, limits } }) })}\n`)
  else out.write(host === undefined ? planText(plan) : paperPlanText(plan, host, limits))
}
