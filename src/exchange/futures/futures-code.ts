/** Numbers of the margin a position stands on: `cross` shares the account's, `isolated` has its own (section 4.6). */
export const POSITION_TYPE_CODES = { cross: 1, isolated: 2 } as const

/** Whether the positions of a contract are shared by the whole account's margin or have their own. */
export type PositionType = keyof typeof POSITION_TYPE_CODES

/** Numbers of the position models: `net` knows one position a contract, `twoWay` a long and a short one (section 4.6). */
export const POSITION_MODEL_CODES = { net: 1, twoWay: 2 } as const

/** Numbers of what an order's volume counts: base units, contracts (the default) or quote (section 4.6 and supplement). */
export const ORDER_UNIT_CODES = { base: 1, contracts: 2, quote: 3 } as const

/** Numbers of the accounts a transaction belongs to (supplement to section 4.7). */
export const ASSET_TYPE_CODES = { main: 0, lead: 1, copy: 2 } as const

/** Wire names of what an order does to a position. */
export const WIRE_ACTION = { open: 'OPEN', close: 'CLOSE' } as const

/** Whether an order opens a position or closes one. */
export type PositionAction = keyof typeof WIRE_ACTION

/** Wire names of the side from which the market must reach a trigger price: `rise` from below, `fall` from above. */
export const WIRE_TRIGGER = { rise: '3UP', fall: '4DOWN' } as const
