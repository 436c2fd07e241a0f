import { amountToText } from '../../domain/numbers/amount.ts'
import { type EndpointHandler, userOf } from '../incoming-call.ts'

/** GET /sapi/v1/account: every listed or held asset, zeros included. */
export const account: EndpointHandler = call => {
  const holder = userOf(call).account
  const listed = call.exchange.markets.flatMap(({ instrument }) => [instrument.base, instrument.quote])
  const assets = [...new Set([...listed, ...holder.holdings.keys()])].sort()
  return {
    balances: assets.map(asset => {
      const { free, locked } = holder.holding(asset)
      return { uid: holder.uid, asset, free: amountToText(free), locked: amountToText(locked) }
    }),
  }
}
