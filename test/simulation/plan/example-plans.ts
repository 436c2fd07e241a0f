import type { Strategy } from '../../../src/strategy/index.ts'
import bollingerSqueeze from '../../../strategies/bollinger-squeeze.ts'
import dcaRegime from '../../../strategies/dca-regime.ts'
import donchianBreakout from '../../../strategies/donchian-breakout.ts'
import fundingCarry from '../../../strategies/funding-carry.ts'
import grid from '../../../strategies/grid.ts'
import marketMaker from '../../../strategies/market-maker.ts'
import pairs from '../../../strategies/pairs.ts'
import rsiReversion from '../../../strategies/rsi-reversion.ts'
import smaCross from '../../../strategies/sma-cross.ts'
import trendPortfolio from '../../../strategies/trend-portfolio.ts'
import type { Traded } from '../world/bot-world.ts'

type Random = () => number
type Parameters = Traded['parameters']
/** An example strategy of one market, and parameters at which it trades within minutes. */
type Example = readonly [strategy: Strategy, parametersOf: (random: Random) => Parameters]

const whole = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1))

/** Those that a spot account can trade. */
const ON_PAIRS: readonly Example[] = [
  [
    bollingerSqueeze,
    random => ({ window: 2, deviations: 0.3, channel: 2 + random() * 4, longer: '5m', trend: 1 }),
  ],
  [dcaRegime, random => ({ hours: 1, amount: whole(random, 15, 200), regime: 2 })],
  [
    donchianBreakout,
    random => ({ klines: whole(random, 2, 4), stopLoss: 0.004, takeProfit: 0.004 + random() * 0.01 }),
  ],
  [
    grid,
    random => ({
      ...{ levels: whole(random, 2, 8), spacing: 0.001 + random() * 0.005 },
      ...{ exposure: 0.3 + random() * 0.7, giveUp: random() * 0.05 },
    }),
  ],
  [
    rsiReversion,
    random => ({ klines: 2, oversold: 50, overbought: 51, discount: random() * 0.5, stop: 0.5 + random() }),
  ],
  [smaCross, () => ({ fast: 1, slow: 2 })],
  [trendPortfolio, random => ({ trend: 2, window: 2, target: 2, markets: whole(random, 1, 3), band: 0 })],
]

/** Those that sell short as well, or quote both sides. */
const ON_CONTRACTS: readonly Example[] = [
  ...ON_PAIRS,
  [
    donchianBreakout,
    random => ({
      klines: 2,
      stopLoss: 0.004,
      takeProfit: 0.006,
      direction: random() < 0.5 ? 'both' : 'long',
    }),
  ],
  [
    marketMaker,
    random => ({ halfSpread: 0.0005 + random() * 0.002, size: 60, inventory: 200, skew: 0.001, patience: 0 }),
  ],
]

/** Puts example strategies in the place of some of those that a plan has. */
export function withExamples(traded: readonly Traded[], random: Random): readonly Traded[] {
  const carried = random() < 0.5 ? ofTwoMarkets(traded, random) : undefined
  return (carried ?? traded).map(one => {
    if (one.markets !== undefined || random() < 0.3) return one
    const examples = one.symbol.includes('/') ? ON_PAIRS : ON_CONTRACTS
    const [strategy, parametersOf] = examples[Math.floor(random() * examples.length)] as Example // within
    return { ...one, strategy, parameters: parametersOf(random) }
  })
}

/** A pair of contracts, or a pair with its contract, in one strategy, where the plan has both. */
function ofTwoMarkets(traded: readonly Traded[], random: Random): readonly Traded[] | undefined {
  const contracts = traded.filter(({ symbol }) => !symbol.includes('/'))
  const [first, second] = contracts
  const spot = traded.find(({ symbol }) => symbol.includes('/'))
  const without = (...symbols: readonly string[]) => traded.filter(({ symbol }) => !symbols.includes(symbol))
  if (spot !== undefined && first !== undefined) {
    const markets = { contract: { symbol: first.symbol } }
    const parameters = { settlements: 1, enter: 0, leave: -0.1, stretch: 0.01, share: 0.1 + random() * 0.7 }
    return [...without(first.symbol), { strategy: fundingCarry, symbol: spot.symbol, markets, parameters }]
  }
  if (first === undefined || second === undefined) return undefined
  const markets = { hedge: { symbol: second.symbol } }
  const parameters = { window: 2, entry: 0.002, stop: 0.05, share: 0.1 + random() * 0.4 }
  return [
    ...without(first.symbol, second.symbol),
    { strategy: pairs, symbol: first.symbol, markets, parameters },
  ]
}
