import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { ExactNumber } from '../spot/order-placement.ts'
import { pageField } from '../wire/list-field.ts'
import { checkWindow } from '../wire/time-window.ts'
import {
  codeField,
  decimalField,
  idField,
  integerField,
  optionalIdField,
  optionalTextField,
  optionalTimeField,
  positiveDecimalTextField,
  textField,
  textParameter,
  timeField,
} from '../wire/wire-field.ts'

/** Numbers of the states of a withdrawal (interface section 3.3). */
const STATUS_CODES = {
  unapproved: 0,
  approved: 1,
  approvalRejected: 2,
  payment: 3,
  paymentFailed: 4,
  completed: 5,
  revoked: 6,
} as const

/** Money to send to an address outside the exchange. */
export interface WithdrawalOrder {
  /** The caller's own id; unique. */
  readonly withdrawOrderId: string
  /** The currency on its chain, such as `TUSDT` for USDT on TRX. */
  readonly asset: string
  /** Units of the asset. */
  readonly amount: ExactNumber
  readonly address: string
  /** Second part of the address, for the currencies that have one. */
  readonly label?: string
}

/** A past withdrawal. */
export interface Withdrawal {
  /** The platform's id. */
  readonly id: string
  /** The caller's own id. */
  readonly withdrawOrderId: string | undefined
  /** The currency on its chain, such as `TUSDT` for USDT on TRX. */
  readonly asset: string
  readonly amount: Decimal
  readonly fee: Decimal
  readonly address: string
  readonly status: keyof typeof STATUS_CODES
  /** Id of the transaction on the chain. */
  readonly transactionId: string | undefined
  /** Reason of a rejected review. */
  readonly rejectionReason: string | undefined
  /** Creation, ms UTC. */
  readonly time: number
  /** Written to the chain, ms UTC. */
  readonly appliedTime: number | undefined
}

/** Body of Withdrawal apply (interface section 4.3). */
export const withdrawRequest = z.object({
  withdrawOrderId: textParameter,
  amount: positiveDecimalTextField,
  address: textParameter,
  label: z.string().optional(),
  symbol: textParameter.optional(),
})

/** Answer of Withdrawal apply: the platform's id. */
export const withdrawResponse = z.object({ id: idField })

/** Every value in the body of Withdrawal query is text. */
const timeText = timeField.transform(String)

/** Body of Withdrawal query (interface section 4.3). */
export const withdrawQueryRequest = z
  .object({
    symbol: textParameter.optional(),
    withdrawId: textParameter.optional(),
    withdrawOrderId: textParameter.optional(),
    startTime: timeText.optional(),
    endTime: timeText.optional(),
    page: integerField(1).transform(String).optional(),
  })
  .check(({ value, issues }) => checkWindow(value, issues))

const withdrawal = z
  .object({
    id: idField,
    withdrawOrderId: optionalIdField,
    symbol: textField,
    amount: decimalField,
    fee: decimalField,
    address: textField,
    status: codeField(STATUS_CODES),
    txId: optionalIdField,
    info: optionalTextField,
    ctime: timeField,
    applyTime: optionalTimeField,
  })
  .transform(
    (wire): Withdrawal => ({
      id: wire.id,
      withdrawOrderId: wire.withdrawOrderId,
      asset: wire.symbol,
      amount: wire.amount,
      fee: wire.fee,
      address: wire.address,
      status: wire.status,
      transactionId: wire.txId,
      rejectionReason: wire.info,
      time: wire.ctime,
      appliedTime: wire.applyTime,
    }),
  )

/** Answer of Withdrawal query. */
export const withdrawalsResponse = pageField(withdrawal, 'withdrawList').transform(({ list, count }) => ({
  withdrawals: list,
  count,
}))
