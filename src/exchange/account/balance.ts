import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { anyPartsField } from '../wire/list-field.ts'
import { decimalField, optionalIdField, textField } from '../wire/wire-field.ts'

/** Balance of one asset in the spot account. */
export interface Balance {
  readonly asset: string
  readonly free: Decimal
  /** Reserved by open orders. */
  readonly locked: Decimal
  readonly uid?: string
}

const balance = z
  .object({ asset: textField, free: decimalField, locked: decimalField, uid: optionalIdField })
  .transform(
    ({ asset, free, locked, uid }): Balance => ({
      asset: asset.toUpperCase(),
      free,
      locked,
      ...(uid !== undefined && { uid }),
    }),
  )

/** Answer of the account endpoint. */
export const balancesResponse = anyPartsField(balance, 'asset', 'balances')
