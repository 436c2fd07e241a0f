import type { ConfiguredMarket } from '../../config/configured-market.ts'
import { futuresOf, type Venue } from '../venue/venue.ts'
import { adviceFor, sentenceOf } from './examine-venue.ts'
import { type Finding, problem } from './finding.ts'

/** Levels that are read, a side. */
const LEVELS = 5

/** Finds an order book with an empty side, on which a paper account fills nothing at market; none for a book with both. */
export async function examineBook(
  venue: Venue,
  { market, name }: ConfiguredMarket,
): Promise<readonly Finding[]> {
  try {
    const { bids, asks } =
      market === 'spot'
        ? await venue.spot.depth({ symbol: name, limit: LEVELS })
        : await futuresOf(venue).depth({ contractName: name, limit: LEVELS })
    const empty = [...(bids.length === 0 ? ['bids'] : []), ...(asks.length === 0 ? ['asks'] : [])]
    if (empty.length === 0) return []
    const found = `Its order book shows no ${empty.join(' and no ')}: orders at market fill nothing there, and limit orders wait for trades.`
    return [problem('instrument', name, found, 'Wait until somebody quotes there, or trade another symbol.')]
  } catch (error) {
    return [problem('instrument', name, sentenceOf(error), adviceFor(error, true))]
  }
}
