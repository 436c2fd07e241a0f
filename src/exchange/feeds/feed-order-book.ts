import { z } from 'zod'
import { depthOf, depthSideField } from '../spot/depth.ts'
import { codeParameter, integerField, timeField } from '../wire/wire-field.ts'
import { feedSymbolParameters, requireFeedSymbol } from './feed-symbol.ts'

/** Wire codes of the price steps that levels are merged to (interface section 4.8). */
export const MERGE_CODES = { '0.01': 0, '0.1': 1, none: 2 } as const

/** Query of the order-book feed. */
export const feedOrderBookRequest = z
  .object({
    ...feedSymbolParameters,
    depth: codeParameter(MERGE_CODES).optional(),
    bids: integerField(1).optional(),
    asks: integerField(1).optional(),
  })
  .check(requireFeedSymbol)

/** Answer of the order-book feed. */
export const feedOrderBookResponse = z
  .object({ date: timeField, bids: depthSideField, asks: depthSideField })
  .transform(({ date, bids, asks }) => depthOf(bids, asks, date))
