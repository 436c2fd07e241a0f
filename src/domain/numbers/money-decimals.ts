/**
 * Decimals that people are shown of an amount of money in an asset: two, or eight for coins of high value; for an amount that
 * would vanish so, as many as show two significant digits. Scripts of pages contain the text of this function, so that it refers
 * to nothing outside itself.
 */
export function moneyDecimals(amount: number, asset: string): number {
  const usual = ['BTC', 'ETH', 'BNB'].includes(asset) ? 8 : 2
  const size = Math.abs(amount)
  if (size === 0 || size >= 10 ** (1 - usual)) return usual
  const [digits = '', exponent = '0'] = size.toExponential(1).split('e')
  const places = digits.endsWith('0') ? 0 : 1
  return Math.min(100, Math.max(usual, places - Number(exponent)))
}
