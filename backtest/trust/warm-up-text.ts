import type { WarmUpCertificate } from './certify-warm-up.ts'

/** A certificate in words, a line each: what is needed, beside what is declared, and how that was found. */
export function warmUpText(strategy: string, certificate: WarmUpCertificate): string {
  const { needed, reason, declared, windows, decisions, longest, samples } = certificate
  const covered = `Compared: ${decisions} decisions in ${windows} windows after ${longest} klines of history (prices to a tick, other numbers to a millionth).`
  if (needed === undefined) return `Warm-up N/A: ${reason}\n  Declared: ${declared}. ${covered}`
  const tried = samples.length === 0 ? '' : ` Longer histories tried: ${samples.join(', ')}.`
  const verdict =
    declared >= needed
      ? `Certified: ${strategy} declares a warm-up of ${declared} klines, and its decisions need ${needed}.`
      : `Not certified: ${strategy} declares a warm-up of ${declared} klines, but its decisions need ${needed}. Declare it: warmUp: () => ${needed}.`
  return `${verdict}\n  ${covered}${tried}`
}
