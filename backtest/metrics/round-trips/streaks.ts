/** The most wins and the most losses in a row; a profit of exactly 0 ends both. */
export function streaksOf(pnl: Float64Array): { readonly wins: number; readonly losses: number } {
  let [wins, losses, winsNow, lossesNow] = [0, 0, 0, 0]
  for (let row = 0; row < pnl.length; row++) {
    const value = pnl[row] as number // inside the bounds
    if (value > 0) {
      if (++winsNow > wins) wins = winsNow
    } else winsNow = 0
    if (value < 0) {
      if (++lossesNow > losses) losses = lossesNow
    } else lossesNow = 0
  }
  return { wins, losses }
}
