import { percent, type WarmUpCertificate } from './certify-warm-up.ts'

/** A certificate as lines of text: the needed and the declared history, and the evidence. */
export function warmUpText(strategy: string, certificate: WarmUpCertificate): string {
  const { needed, reason, declared } = certificate
  const compared = comparedText(certificate)
  if (needed === undefined) return `Warm-up N/A: ${reason}\n  Declared: ${declared}.${compared}`
  const verdict =
    declared >= needed
      ? `Certified: ${strategy} declares a warm-up of ${declared} klines, and its decisions need ${needed}.`
      : `Not certified: ${strategy} declares a warm-up of ${declared} klines, but its decisions need ${needed}. Declare it: warmUp: () => ${needed}.`
  return `${verdict}\n ${compared}`
}

/** ` After 53 klines, 0 of 1000 decisions differ from those after 9000: at most 0.3%, with 95% confidence (…).` */
function comparedText({ proof, longest, level, decisionsNeeded }: WarmUpCertificate): string {
  if (proof === undefined) return ''
  const { history, differing, decisions, bound } = proof
  const [most, sure] = [percent(level.share), `${100 * level.confidence}% confidence`]
  const verdict =
    bound > level.share
      ? `to be certified, at most ${most} may: none of ${decisionsNeeded}, for example`
      : `certified at ${most}`
  return ` After ${history} klines, ${differing} of ${decisions} decisions differ from those after ${longest} klines: at most ${percent(bound)} of all, with ${sure} (${verdict}; prices to a tick, other numbers to a millionth).`
}
