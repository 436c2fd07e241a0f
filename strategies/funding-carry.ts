import { defineStrategy, exit, funding, integer, number, targetPosition } from '../src/strategy/index.ts'

/** Holds a pair and its perpetual contract short while longs pay for it, so that the price hardly matters. */
export default defineStrategy({
  name: 'funding-carry',
  description:
    'Earns funding: long on spot and short as much in the contract while the average rate is high.',
  parameters: {
    settlements: integer({ default: 21, min: 1, max: 500, description: 'Settlements in the average rate.' }),
    enter: number({ default: 0.0001, min: 0, max: 0.1, description: 'Average rate above which to enter.' }),
    leave: number({ default: 0, min: -0.1, max: 0.1, description: 'Average rate below which to leave.' }),
    stretch: number({
      default: 0.5,
      min: 0.01,
      max: 10,
      description: 'Rise of the price since the entry at which to begin anew.',
    }),
    share: number({
      default: 0.6,
      min: 0.01,
      max: 0.9,
      description: 'Worth of each side, as a fraction of the money on the smaller account.',
    }),
  },
  markets: ['contract'],
  feeds: () => ({ funding: funding({ market: 'contract' }) }),
  // A settlement at the very start of the data is not shown: it counts from the second kline on.
  warmUp: () => 1,
  state: (): { rates: number[] } => ({ rates: [] }),
  on: {
    funding({ rate }, { state, parameters: { settlements } }) {
      state.rates = [...state.rates, rate].slice(-settlements)
      return undefined
    },
  },
  onKline(
    kline,
    { state: { rates }, parameters, instrument, balance, position, orders, markets: { contract } },
  ) {
    const { settlements, enter, leave, stretch, share } = parameters
    if (rates.length < settlements || orders.length + contract.orders.length > 0) return
    const average = rates.reduce((sum, rate) => sum + rate, 0) / settlements
    const isFlat = position.direction === 'flat' && contract.position.direction === 'flat'
    const isWhole = position.direction === 'long' && contract.position.direction === 'short'
    if (isFlat && average > enter) {
      const money = Math.min(balance(instrument.quote), contract.balance(instrument.quote))
      const base = (share * money) / kline.close
      return [targetPosition({ base }), targetPosition({ base: -base }, { market: 'contract' })]
    }
    // What spot gains the contract loses, on an account of its own, whose margin has an end.
    const isStretched = kline.close > contract.position.entryPrice * (1 + stretch)
    if (!isFlat && (!isWhole || isStretched || average < leave)) return [exit(), exit({ market: 'contract' })]
  },
})
