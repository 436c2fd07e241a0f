import type { FuturesMarketCalls } from './client/futures-market-calls.ts'
import type { FuturesRanges } from './client/futures-ranges.ts'
import type { SpotMarketCalls } from './client/spot-market-calls.ts'
import type { SpotRanges } from './client/spot-ranges.ts'
import { createExchangeClient, type ExchangeClient, type ExchangeClientOptions } from './exchange-client.ts'

/** Options of a client that reads public data only: there is no place for a key. */
export type PublicClientOptions = Omit<
  ExchangeClientOptions,
  'credentials' | 'apiKey' | 'apiSecret' | 'recvWindowMs' | 'allowWithdrawals'
> & {
  readonly credentials?: never
  readonly apiKey?: never
  readonly apiSecret?: never
}

/** The public calls of an exchange. Each is a GET without a signature. */
export interface PublicClient extends Pick<ExchangeClient, 'serverNow' | 'synchronise' | 'state' | 'close'> {
  readonly spot: SpotMarketCalls & Pick<SpotRanges, 'allKlines'>
  readonly futures: FuturesMarketCalls & Pick<FuturesRanges, 'allKlines'>
}

/**
 * Client of the public data of one exchange. It has no signer, so a signed call cannot be made by it, and none
 * of its methods is one. Throws `UsageError` for an unusable URL or limit. Sends nothing yet.
 */
export function createPublicClient(options: PublicClientOptions): PublicClient {
  return createExchangeClient(options)
}
