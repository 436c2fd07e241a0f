import { z } from 'zod'
import { POSITION_MODEL_CODES, POSITION_TYPE_CODES } from '../futures/futures-code.ts'
import { acknowledgement } from '../wire/acknowledgement.ts'
import {
  codeParameter,
  contractNameParameter,
  decimalField,
  idNumberParameter,
  integerField,
} from '../wire/wire-field.ts'
import { defineEndpoint } from './endpoint.ts'

/** The document gives no futures endpoint a weight; 1 is the least any endpoint has. */
const setting = {
  method: 'POST',
  host: 'futures',
  security: 'TRADE',
  effect: 'write',
  weight: 1,
  section: '4.6',
} as const

/** Interface section 4.6, settings: position mode, margin mode, position margin and leverage, signed. */
export const FUTURES_SETTINGS = {
  futuresEditPositionModel: defineEndpoint({
    ...setting,
    key: 'futuresEditPositionModel',
    path: '/fapi/v1/edit_user_position_model',
    request: z.object({
      contractName: contractNameParameter,
      positionModel: codeParameter(POSITION_MODEL_CODES),
    }),
    keepsEnvelope: true,
    response: acknowledgement,
    doc: 'Sets whether a contract has one net position, or a long and a short one.',
  }),
  futuresEditMarginModel: defineEndpoint({
    ...setting,
    key: 'futuresEditMarginModel',
    path: '/fapi/v1/edit_user_margin_model',
    request: z.object({
      contractName: contractNameParameter,
      marginModel: codeParameter(POSITION_TYPE_CODES),
    }),
    keepsEnvelope: true,
    response: acknowledgement,
    doc: "Sets whether a contract's positions are cross or isolated.",
  }),
  futuresEditPositionMargin: defineEndpoint({
    ...setting,
    key: 'futuresEditPositionMargin',
    path: '/fapi/v1/edit_position_margin',
    request: z.object({
      positionId: idNumberParameter,
      amount: decimalField.refine(amount => !amount.isZero(), 'must not be 0'),
    }),
    keepsEnvelope: true,
    response: acknowledgement,
    doc: 'Adds margin to a position or takes some away.',
  }),
  futuresEditLever: defineEndpoint({
    ...setting,
    key: 'futuresEditLever',
    path: '/fapi/v1/edit_lever',
    request: z.object({ contractName: contractNameParameter, nowLevel: integerField(1) }),
    keepsEnvelope: true,
    response: acknowledgement,
    doc: 'Sets the leverage of a contract.',
  }),
} as const
