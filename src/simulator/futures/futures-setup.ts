import type { Amount } from '../../domain/numbers/amount.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { LiveRules } from '../live/live-rules.ts'
import { openOwnFeed } from '../markets/open-feed.ts'
import type { Listing, SimulatorConfig } from '../simulator-config.ts'
import type { QuotePlan } from '../spot/background-liquidity.ts'
import type { FuturesMarketEvents } from './futures-market.ts'
import { ListedContract, type ListedContractSetup } from './listed-contract.ts'
import type { FuturesAccount } from './positions/futures-account.ts'

/** The `futures` section of a configuration. */
export type FuturesSettings = SimulatorConfig['futures']

export interface FuturesSetup {
  readonly settings: FuturesSettings
  readonly accounts: readonly {
    readonly uid: number
    readonly mayTrade: boolean
    readonly balances: Readonly<Record<string, Amount>>
  }[]
  /** Refuse a client order id that the account has used before. */
  readonly uniqueClientOrderIds: boolean
  readonly seed: number
  readonly plan: QuotePlan
  /** Spot pairs that contracts can follow. */
  readonly spot: readonly Listing[]
  /** Rules of contracts that are only observed. */
  readonly live: LiveRules
}

/** Order ids of the exchange's own account: below those of the users. */
const FIRST_HOUSE_ORDER_ID = 2_000_000_000_000_000_000n
const HOUSE_IDS_PER_CONTRACT = 10n ** 15n

type ContractEntry = FuturesSettings['contracts'][number]
type OwnMarket = Exclude<ContractEntry['market'], { readonly type: 'spot' }>
type Source = Pick<ListedContractSetup, 'follows' | 'openFeed' | 'source'>

/** Lists the contracts of a configuration; throws `UsageError` for one that follows a spot pair that is not listed. */
export function listContracts(
  { settings, seed, plan, spot, live }: FuturesSetup,
  house: FuturesAccount,
  events: FuturesMarketEvents,
): ListedContract[] {
  return settings.contracts.map((entry, index) => {
    const firstHouseId = FIRST_HOUSE_ORDER_ID + BigInt(index) * HOUSE_IDS_PER_CONTRACT
    const { contract } = entry
    const source = sourceOf(entry, spot, seed)
    const own = { house, plan, firstHouseId, events }
    return new ListedContract({
      ...{ contract, ...source, ...own },
      live: entry.market.type === 'live' ? live : undefined,
    })
  })
}

function sourceOf({ contract, market }: ContractEntry, spot: readonly Listing[], seed: number): Source {
  if (market.type !== 'spot') return ownSource(contract.name, market, seed)
  const symbol = market.symbol ?? `${contract.base}/${contract.quote}`
  const followed = spot.find(({ instrument }) => instrument.symbol === symbol)
  if (followed !== undefined) {
    return { follows: followed.instrument, openFeed: undefined, source: intervalOf(followed.market) }
  }
  if (market.ifUnlisted !== undefined) return ownSource(contract.name, market.ifUnlisted, seed)
  throw new UsageError(
    `The contract ${contract.name} follows the spot pair ${symbol}, which is not listed; list it, or give the contract a market of its own.`,
  )
}

function ownSource(name: string, market: OwnMarket, seed: number): Source {
  return {
    follows: undefined,
    source: intervalOf(market),
    openFeed: (grid, now, from) => openOwnFeed(grid, market, `${seed}/${name}`, now, from),
  }
}

function intervalOf(market: Listing['market']) {
  return market.type === 'klines' ? market.interval : '1m'
}
