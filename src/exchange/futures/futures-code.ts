/**
 * Wire codes of margin modes: a `cross` position shares the account's margin, an `isolated` one has its own
 * (section 4.6).
 */
export const POSITION_TYPE_CODES = { cross: 1, isolated: 2 } as const

/** Margin mode of a contract's positions. */
export type PositionType = keyof typeof POSITION_TYPE_CODES

/**
 * Wire codes of position modes: `net` has one position per contract, `twoWay` a long and a short one (section
 * 4.6).
 */
export const POSITION_MODEL_CODES = { net: 1, twoWay: 2 } as const

/**
 * Wire codes of the unit of an order's volume: base units, contracts (the default) or quote (section 4.6 and
 * supplement).
 */
export const ORDER_UNIT_CODES = { base: 1, contracts: 2, quote: 3 } as const

/** Wire codes of the accounts of transactions (supplement to section 4.7). */
export const ASSET_TYPE_CODES = { main: 0, lead: 1, copy: 2 } as const

/** Wire names of an order's effect on a position. */
export const WIRE_ACTION = { open: 'OPEN', close: 'CLOSE' } as const

/** Effect of an order on a position. */
export type PositionAction = keyof typeof WIRE_ACTION

/**
 * Wire names of the direction in which the market reaches a trigger price: `rise` from below, `fall` from
 * above.
 */
export const WIRE_TRIGGER = { rise: '3UP', fall: '4DOWN' } as const
