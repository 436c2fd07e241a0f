import type { Indicator } from '../../indicators/indicator.ts'

/** An indicator of the klines of a feed. */
export interface FeedIndicator<Name extends string, Own> {
  readonly feed: Name
  readonly indicator: Own
}

/** Binds an indicator to the klines of a feed: `trend: of('daily', sma(200))`. */
export function of<const Name extends string, Own extends Indicator<unknown>>(
  feed: Name,
  indicator: Own,
): FeedIndicator<Name, Own> {
  return { feed, indicator }
}

/** Indicators by name, some of them bound to feeds. Their values have any type, hence `unknown`. */
export type Indicators<FeedName extends string = string> = Readonly<
  Record<string, Indicator<unknown> | FeedIndicator<FeedName, Indicator<unknown>>>
>

/** Indicators in the form that handlers get, without the binding to a feed. */
export type ShownIndicators<I> = {
  readonly [Name in keyof I]: I[Name] extends FeedIndicator<string, infer Own> ? Own : I[Name]
}
