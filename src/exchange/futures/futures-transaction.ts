import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { pageField } from '../wire/list-field.ts'
import { checkWindow } from '../wire/time-window.ts'
import {
  codeParameter,
  decimalField,
  idField,
  integerField,
  integerIfGiven,
  laterTimeField,
  optionalDecimalField,
  optionalIdField,
  optionalTextField,
  textParameter,
  timeField,
} from '../wire/wire-field.ts'
import { ASSET_TYPE_CODES } from './futures-code.ts'

/** Wire codes of the kinds of futures transactions (supplement to section 4.7). */
export const TRANSACTION_TYPE_CODES = {
  transferIn: 1,
  transferOut: 2,
  settleLong: 3,
  settleShort: 4,
  fundingFee: 5,
  openingFee: 6,
  closingFee: 7,
  lossShare: 8,
  feeRebate: 9,
  bonusGranted: 10,
  bonusRecovered: 11,
  publicPrivateTransfer: 12,
  closingPnl: 13,
  kolTransferRequest: 18,
  leadReduce: 19,
  leadAdd: 20,
  copyReduce: 21,
  copyAdd: 22,
  leadIn: 23,
  leadOut: 24,
  copyIn: 25,
  copyOut: 26,
  profitShare: 27,
  merchantRiskReserveShare: 28,
} as const

/** Kind of a futures transaction. */
export type FuturesTransactionType = keyof typeof TRANSACTION_TYPE_CODES

/** A change of the futures balance. */
export interface FuturesTransaction {
  readonly id: string
  /** Name of the contract as the exchange displays it, such as `BTCUSDT`. */
  readonly contractDisplayName: string | undefined
  /** `other` for an unpublished code. */
  readonly type: FuturesTransactionType | 'other'
  readonly typeCode: number
  /** Change, in the margin coin; negative when paid. */
  readonly amount: Decimal
  /** Balance afterwards, in the margin coin; `undefined` if the exchange does not give it. */
  readonly balanceAfter: Decimal | undefined
  /** Unpublished code. */
  readonly scene: string | undefined
  /** ms UTC. */
  readonly time: number
}

/** Body of get_user_transaction (supplement to section 4.7); times and type are text. */
export const transactionsRequest = z
  .object({
    beginTime: timeField.transform(String),
    endTime: timeField.transform(String),
    symbol: textParameter,
    page: integerField(1).optional(),
    limit: integerField(1, 200).optional(),
    assetType: codeParameter(ASSET_TYPE_CODES).optional(),
    langKey: textParameter.optional(),
    type: codeParameter(TRANSACTION_TYPE_CODES).transform(String).optional(),
  })
  .check(({ value: { beginTime, endTime }, issues }) =>
    checkWindow({ startTime: beginTime, endTime }, issues),
  )

const transaction = z
  .object({
    id: idField,
    contractOtherName: optionalTextField,
    type: integerField(),
    amount: decimalField,
    afterBalance: optionalDecimalField,
    scene: optionalIdField,
    ctimeMillis: integerIfGiven(0),
    /** The same time, on some hosts as text without a zone. */
    ctime: laterTimeField,
  })
  .transform((wire, context): FuturesTransaction => {
    const time = wire.ctimeMillis ?? wire.ctime
    if (time === undefined) {
      context.addIssue({ code: 'custom', path: ['ctimeMillis'], message: 'must be a time in ms' })
      return z.NEVER
    }
    return {
      id: wire.id,
      contractDisplayName: wire.contractOtherName,
      type: typeOf(wire.type),
      typeCode: wire.type,
      amount: wire.amount,
      balanceAfter: wire.afterBalance,
      scene: wire.scene,
      time,
    }
  })

/** Answer of get_user_transaction; `count` is the number on all pages, if the exchange gives it. */
export const transactionsResponse = pageField(transaction, 'transList').transform(({ list, count }) => ({
  transactions: list,
  count,
}))

function typeOf(code: number): FuturesTransaction['type'] {
  // The keys of the record are its names; Object.keys loses that type.
  const names = Object.keys(TRANSACTION_TYPE_CODES) as FuturesTransactionType[]
  return names.find(name => TRANSACTION_TYPE_CODES[name] === code) ?? 'other'
}
