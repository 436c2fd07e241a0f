import { percent, type WarmUpCertificate } from './certify-warm-up.ts'

/** A certificate as lines of text: the needed and the declared history, and the evidence. */
export function warmUpText(strategy: string, certificate: WarmUpCertificate): string {
  const { needed, reason, declared } = certificate
  const compared = comparedLines(certificate)
  if (needed === undefined)
    return linesOf(`Warm-up N/A: ${reason}`, [`Declared: a warm-up of ${declared} klines.`, ...compared])
  const verdict =
    declared >= needed
      ? `Certified: ${strategy} declares a warm-up of ${declared} klines, and its decisions need ${needed}.`
      : `Not certified: ${strategy} declares a warm-up of ${declared} klines, but its decisions need ${needed}. Declare it: warmUp: () => ${needed}.`
  return linesOf(verdict, compared)
}

function linesOf(first: string, others: readonly string[]): string {
  return [first, ...others.map(line => `  ${line}`)].join('\n')
}

/** The comparison behind a verdict: `Different: 0 of 1000, so at most 0.3% of all, with 95% confidence.` */
function comparedLines({ proof, longest, level, decisionsNeeded }: WarmUpCertificate): readonly string[] {
  if (proof === undefined) return []
  const { history, differing, decisions, bound } = proof
  const most = percent(level.share)
  const isEnough = bound <= level.share
  return [
    `Compared: ${decisions} decisions after ${history} klines of history with the same after ${longest}; prices to a tick, other numbers to a millionth.`,
    `Different: ${differing} of ${decisions}, so at most ${percent(bound)} of all, with ${100 * level.confidence}% confidence.`,
    `Certified is at most ${most}${isEnough ? '.' : `: for example none of ${decisionsNeeded}.`}`,
  ]
}
