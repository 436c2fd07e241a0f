/** `BASE/QUOTE` of a feed's pair code `BASE_QUOTE`. */
export function symbolOf(pairCode: string): string {
  return pairCode.replace('_', '/').toUpperCase()
}
