import type { RiskCheck } from '../risk-check.ts'

/**
 * Denies kinds of limit orders that the exchange lacks: they would rest, or take, against the strategy's
 * intent.
 */
export const limitKind: RiskCheck = ({ spec }, { instrument: { limitKinds, accountType } }) => {
  if (limitKinds === undefined || spec.type !== 'limit' || spec.kind === undefined) return undefined
  if (limitKinds.includes(spec.kind)) return undefined
  const limit = ['limit orders that rest', ...limitKinds].join(' or ')
  return {
    rule: 'limitKind',
    limit,
    actual: spec.kind,
    message: `The order is ${spec.kind}, which the exchange does not offer on a ${accountType} account; only ${limit} can be placed there.`,
  }
}
