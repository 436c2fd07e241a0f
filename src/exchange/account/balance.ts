import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { decimalField, idField, listField } from '../wire/wire-field.ts'

/** Balance of one asset in the spot account. */
export interface Balance {
  readonly asset: string
  readonly free: Decimal
  /** Reserved by open orders. */
  readonly locked: Decimal
  readonly uid?: string
}

const balance = z
  .object({ asset: z.string(), free: decimalField, locked: decimalField, uid: idField.nullish() })
  .transform(
    ({ asset, free, locked, uid }): Balance => ({
      asset: asset.toUpperCase(),
      free,
      locked,
      ...(typeof uid === 'string' && { uid }),
    }),
  )

/** Answer of the account endpoint. */
export const balancesResponse = z.object({ balances: listField(balance) })
