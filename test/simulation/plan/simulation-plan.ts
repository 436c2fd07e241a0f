import type { OperatorRequest } from '../../../src/bot/control/operator-request.ts'
import type { Accounts } from '../../../src/config/account-fields.ts'
import type { BotConfig } from '../../../src/config/bot-config.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import type { Traded } from '../world/bot-world.ts'
import type { ClockStep } from '../world/mortal-clock.ts'
import type { OthersDeed } from '../world/others-deeds.ts'

/** Which accounts a bot has. */
export type PlanKind = 'spot' | 'futures' | 'both' | 'margin' | 'beside'

/** Everything that a seed decides before anything happens. */
export interface SeedPlan {
  readonly kind: PlanKind
  readonly accounts: Accounts
  readonly exchange: SimulatorConfigInput
  readonly traded: readonly Traded[]
  readonly startAt: number
  /** When nothing goes wrong any more, ms UTC. */
  readonly troubleUntil: number
  readonly aheadMs: number
  /** When somebody sets the clock of the bot's machine to another time, and back. */
  readonly clockSteps: readonly ClockStep[]
  /** Chance that a bot dies at a moment. */
  readonly deathRate: number
  /** At least as long as the shortest limits of the exchange look back, ms: who starts anew does not know what was asked before. */
  readonly downMs: number
  /** Chance that a request or its answer is lost on the way, or late. */
  readonly lossRate: number
  /** Up to so much longer than usual each request and each answer travels in the trouble, ms. */
  readonly jitterMs: number
  /** When the bot dies and its journal is lost, if ever, ms UTC. */
  readonly losesJournalAt?: number | undefined
  readonly snapshotEntries: number
  readonly keepEntries?: number
  readonly execution: Partial<BotConfig['execution']>
  /** Actions of another client of the account, with their times, ms UTC. */
  readonly others: readonly OthersDeed[]
  readonly risk: RiskRules
  /** What the operator commands, and when, ms UTC. */
  readonly commands: readonly { readonly at: number; readonly request: OperatorRequest }[]
}
