import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { refuseParameter } from '../errors/refused-parameter.ts'
import type { ExactNumber } from '../spot/order-placement.ts'
import { listField } from '../wire/list-field.ts'
import { checkWindow } from '../wire/time-window.ts'
import {
  decimalField,
  idField,
  integerField,
  nameParameter,
  positiveDecimalField,
  textField,
  textParameter,
  timeField,
} from '../wire/wire-field.ts'

/** An account that money can be moved between. */
export type TransferAccount = 'spot' | 'futures'

type TransferStatus = 'success' | 'pending' | 'failed'

/** Money to move between two accounts of one user. */
export type TransferOrder = {
  readonly asset: string
  /** Units of the asset. */
  readonly amount: ExactNumber
} & ({ readonly from: 'spot'; readonly to: 'futures' } | { readonly from: 'futures'; readonly to: 'spot' })

/** A past transfer. */
export interface Transfer {
  readonly transferId: string
  readonly asset: string
  readonly amount: Decimal
  readonly from: TransferAccount
  readonly to: TransferAccount
  readonly status: TransferStatus
  /** ms UTC. */
  readonly time: number
}

/** Wire names of the accounts. */
export const WIRE_ACCOUNT = { spot: 'EXCHANGE', futures: 'FUTURE' } as const satisfies Record<
  TransferAccount,
  string
>

const accountParameter = nameParameter(Object.values(WIRE_ACCOUNT))

const accountField = z
  .enum(WIRE_ACCOUNT)
  .transform((name): TransferAccount => (name === WIRE_ACCOUNT.spot ? 'spot' : 'futures'))

const STATUS = { SUCCESS: 'success', PENDING: 'pending', FAILED: 'failed' } as const satisfies Record<
  string,
  TransferStatus
>

/** Body of a transfer (supplement to section 4.3). */
export const transferRequest = z.object({
  coinSymbol: textParameter,
  amount: positiveDecimalField,
  fromAccount: accountParameter,
  toAccount: accountParameter,
})

/** Body of a transfer query: without `transferId` both accounts are required (interface section 4.3). */
export const transferQueryRequest = z
  .object({
    transferId: textParameter.optional(),
    coinSymbol: textParameter.optional(),
    fromAccount: accountParameter.optional(),
    toAccount: accountParameter.optional(),
    startTime: timeField.optional(),
    endTime: timeField.optional(),
    page: integerField(1).optional(),
    limit: integerField(1, 100).optional(),
  })
  .check(({ value, issues }) => {
    checkWindow(value, issues)
    if (value.transferId !== undefined) return
    for (const account of ['fromAccount', 'toAccount'] as const) {
      if (value[account] === undefined)
        refuseParameter(issues, account, 'is required unless transferId is given')
    }
  })

/** Answer of a transfer. */
export const transferResponse = z.object({ transferId: idField })

const transfer = z
  .object({
    transferId: idField,
    coinSymbol: textField,
    amount: decimalField,
    fromAccount: accountField,
    toAccount: accountField,
    status: z.enum(['SUCCESS', 'PENDING', 'FAILED']),
    createTime: timeField,
  })
  .transform(
    (wire): Transfer => ({
      transferId: wire.transferId,
      asset: wire.coinSymbol.toUpperCase(),
      amount: wire.amount,
      from: wire.fromAccount,
      to: wire.toAccount,
      status: STATUS[wire.status],
      time: wire.createTime,
    }),
  )

/** Answer of a transfer query. */
export const transfersResponse = listField(transfer)
