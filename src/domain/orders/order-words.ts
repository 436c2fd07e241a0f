/** Words for people of the names that code and configuration have for purposes, types and states of orders, and for rules that deny them. */
export const ORDER_WORDS: Readonly<Record<string, string>> = {
  // Purposes, and types of orders.
  stopLoss: 'stop-loss',
  takeProfit: 'take-profit',
  trailingStop: 'trailing stop',
  endOfData: 'end of the data',
  outsideClose: 'closed outside the bot',
  operator: "operator's command",
  stopLimit: 'stop-limit',
  ifTouched: 'if-touched',
  // States.
  partiallyFilled: 'partially filled',
  unknown: 'in doubt, the exchange is asked',
  // Rules.
  grid: 'price and quantity precision',
  minimumVolume: 'minimum quantity',
  maximumVolume: 'maximum quantity',
  minimumNotional: 'minimum notional',
  minimumPrice: 'minimum price',
  tradingState: 'trading state',
  instrumentStatus: 'instrument status',
  limitKind: 'kind of limit order',
  priceBand: 'price band',
  maxNotional: 'maximum notional',
  maxPosition: 'maximum position',
  maxExposure: 'maximum exposure',
  maxOrders: 'maximum number of orders',
  maxWorkingOrders: 'maximum number of working orders',
  selfCrossing: 'crossing of an own order',
  triggerPassed: 'trigger price passed',
  nothingLeft: 'nothing left to close',
  noPrice: 'no price yet',
  checkFailed: 'failed check',
}

/** `stop-loss` of `stopLoss`; other text as it is. */
export function orderWord(name: string): string {
  return ORDER_WORDS[name] ?? name
}
