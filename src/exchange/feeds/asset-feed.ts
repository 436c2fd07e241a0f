import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { partialRecordField } from '../wire/list-field.ts'
import { decimalField, flagField, idField, optionalTextField, textField } from '../wire/wire-field.ts'

/** A currency; amounts in its units, rates are fractions. */
export interface FeedAsset {
  readonly asset: string
  readonly name: string
  /** Id in the aggregators' common list. */
  readonly unifiedId: string
  readonly canWithdraw: boolean
  readonly canDeposit: boolean
  readonly minWithdraw: Decimal
  readonly maxWithdraw: Decimal
  readonly makerFeeRate: Decimal
  readonly takerFeeRate: Decimal
  /** Address of a token's contract. */
  readonly contractAddress: string | undefined
}

const asset = z.object({
  name: textField,
  unified_cryptoasset_id: idField,
  can_withdraw: flagField,
  can_deposit: flagField,
  min_withdraw: decimalField,
  max_withdraw: decimalField,
  maker_fee: decimalField,
  taker_fee: decimalField,
  contractAddress: optionalTextField,
})

/** Answer of the currency list. */
export const assetsResponse = partialRecordField(asset).transform(assets =>
  Object.entries(assets).map(
    ([code, wire]): FeedAsset => ({
      asset: code,
      name: wire.name,
      unifiedId: wire.unified_cryptoasset_id,
      canWithdraw: wire.can_withdraw,
      canDeposit: wire.can_deposit,
      minWithdraw: wire.min_withdraw,
      maxWithdraw: wire.max_withdraw,
      makerFeeRate: wire.maker_fee,
      takerFeeRate: wire.taker_fee,
      contractAddress: wire.contractAddress,
    }),
  ),
)
