import type { Instrument } from '../../domain/instrument.ts'
import type { LimitKind } from '../../domain/orders/order-request.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ExchangeProfile, HostOrderType } from '../../exchange/profiles/exchange-profile.ts'
import type { Market } from '../../market/market-subscription.ts'

const TYPE_OF_KIND = { ioc: 'IOC', fok: 'FOK', postOnly: 'POST_ONLY' } as const satisfies Record<
  LimitKind,
  HostOrderType
>

/**
 * Limits of an instrument by the order types of its host: an order of a kind that the host lacks is denied, but an
 * IOC order is sent as a limit order whose rest is canceled. Throws `UsageError` for a host on which no position
 * could be closed.
 */
export function hostOrderKinds(
  profile: ExchangeProfile,
  market: Market,
): Pick<Instrument, 'limitKinds' | 'iocRests'> {
  const { name, futures } = profile
  const { orderTypes } = profile[market]
  const missing = (['LIMIT', 'MARKET'] as const).find(type => !orderTypes.includes(type))
  if (missing !== undefined)
    throw new UsageError(
      `The ${market} host of the profile ${name} takes no ${missing} orders ("orderTypes"), which the bot needs to enter and to leave; it cannot trade there.`,
    )
  if (market === 'futures' && futures.marketOrderUnit.close === 'unknown')
    throw new UsageError(
      `The profile ${name} does not say in which unit the exchange reads a market order that closes contracts, so that no stop could be sent. Find it out with the smallest position, and write "marketOrderUnit: { close: contracts }" into the profile.`,
    )
  const kinds = (['ioc', 'fok', 'postOnly'] as const).filter(
    kind => kind === 'ioc' || orderTypes.includes(TYPE_OF_KIND[kind]),
  )
  return {
    ...(kinds.length < Object.keys(TYPE_OF_KIND).length && { limitKinds: kinds }),
    ...(!orderTypes.includes('IOC') && { iocRests: true }),
  }
}
