import { moneyDecimals } from '../../../src/domain/numbers/money-decimals.ts'
import { fixedText } from './texts.js'

/**
 * An amount of money, without its asset.
 * @param {number} amount
 * @param {string} asset
 */
export function moneyText(amount, asset) {
  return fixedText(amount, moneyDecimals(amount, asset))
}
