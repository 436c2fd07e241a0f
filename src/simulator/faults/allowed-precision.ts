/** Fewer decimals for an instrument than it was listed with. */
export interface AllowedPrecision {
  /** `BTC/USDT` in any spelling, or the name of a contract. */
  readonly symbol: string
  readonly pricePrecision?: number | undefined
  readonly quantityPrecision?: number | undefined
}

/** Paths with an order, or a list of orders, as body. */
const ORDER_PATH = /\/(order|order\/test|batchOrders|conditionOrder)$/

/** True if an order of a POST body has more decimals than allowed. */
export function exceedsPrecision(path: string, body: string, allowed: AllowedPrecision): boolean {
  if (!ORDER_PATH.test(path)) return false
  const fields = fieldsOf(body)
  if (plainName(fields.symbol ?? fields.contractName) !== plainName(allowed.symbol)) return false
  const orders = Array.isArray(fields.orders) ? fields.orders : [fields]
  return orders.some(
    order =>
      decimalsOf(order?.price) > (allowed.pricePrecision ?? Number.POSITIVE_INFINITY) ||
      (!isMarketBuy(order) &&
        decimalsOf(order?.volume) > (allowed.quantityPrecision ?? Number.POSITIVE_INFINITY)),
  )
}

/** Lists of instruments and contracts with the precision that is allowed now; other answers stay as they are. */
export function withAllowedPrecision(body: string, allowed: AllowedPrecision): string {
  if (!body.includes('"pricePrecision"')) return body
  return JSON.stringify(JSON.parse(body), (_key, value) =>
    typeof value?.pricePrecision === 'number' && plainName(value.symbol) === plainName(allowed.symbol)
      ? { ...value, ...given(allowed, value) }
      : value,
  )
}

function given({ pricePrecision, quantityPrecision }: AllowedPrecision, listed: object) {
  return {
    ...(pricePrecision !== undefined && { pricePrecision }),
    ...(quantityPrecision !== undefined && 'quantityPrecision' in listed && { quantityPrecision }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a body has any shape; each field is checked before its use
function fieldsOf(body: string): Record<string, any> {
  try {
    const fields: unknown = JSON.parse(body)
    return typeof fields === 'object' && fields !== null ? fields : {}
  } catch {
    return {}
  }
}

/** Its volume is money, which no precision of the instrument bounds. */
function isMarketBuy(order: { type?: unknown; side?: unknown } | null): boolean {
  return String(order?.type).toUpperCase() === 'MARKET' && String(order?.side).toUpperCase() === 'BUY'
}

function decimalsOf(value: unknown): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^-?\d+\.(\d*?)0*$/.exec(text)?.[1]?.length ?? 0
}

function plainName(symbol: unknown): string {
  return String(symbol ?? '')
    .replace('/', '')
    .toUpperCase()
}
