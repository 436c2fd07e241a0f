import { percent, type WarmUpCertificate } from './certify-warm-up.ts'

/** A certificate as lines of text: the needed and the declared history, and the evidence. */
export function warmUpText(strategy: string, certificate: WarmUpCertificate): string {
  const { needed, reason, declared, state } = certificate
  const compared = [...comparedLines(certificate), ...stateLines(certificate)]
  const declares = `${strategy} declares a warm-up of ${declared} klines`
  if (state?.verdict === 'fails') return linesOf(`Not certified: ${declares}, but ${state.reason}`, compared)
  const why = reason ?? state?.reason
  if (needed === undefined || why !== undefined)
    return linesOf(`Warm-up N/A: ${why}`, [`Declared: a warm-up of ${declared} klines.`, ...compared])
  if (declared < needed)
    return linesOf(
      `Not certified: ${declares}, but its decisions need ${needed}. Declare it: warmUp: () => ${needed}.`,
      compared,
    )
  return linesOf(`Certified: ${declares}, and its decisions need ${needed}.`, [...compared, NOT_SEEN])
}

const NOT_SEEN =
  'Not looked at: what it keeps outside of `indicators` and `state`, such as in variables of its file.'

/** The evidence about its state: `State: 0 of 650 decisions differ …`. */
function stateLines({ state, level }: WarmUpCertificate): readonly string[] {
  const { unchangedAt, compared } = state ?? {}
  if (unchangedAt !== undefined)
    return [`State: as at a start at all ${unchangedAt} moments without a position and orders.`]
  if (compared === undefined || compared.decisions === 0) return []
  const { differing, decisions, atLeast, bound } = compared
  const share =
    state?.verdict === 'fails' ? `at least ${Math.floor(1000 * atLeast) / 10}%` : `at most ${percent(bound)}`
  return [
    `State: after a start ${differing} of ${decisions} decisions without a position and orders differ from those of a run since the beginning of the data, so ${share} of all, with ${100 * level.confidence}% confidence.`,
  ]
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
